// SPDX-License-Identifier: Apache-2.0

package sheet

import (
	"fmt"
	"io"
	"strings"
)

// points is the number of PDF units (1/72 inch) per millimetre.
const points = 72 / 25.4

// PDF writes the page as a document of one page (ISO 32000-1) whose viewer preferences disable scaling when it is
// printed.
func (p *Page) PDF(w io.Writer) error {
	content := p.content()
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %s %s] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
			num(p.Width*points), num(p.Height*points)),
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	}
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	_, err := io.WriteString(w, b.String())
	return err
}

// content returns the page's content stream, in mm with y down by a transformation.
func (p *Page) content() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.6f 0 0 %.6f 0 %s cm\n", points, -points, num(p.Height*points))
	for _, i := range p.items {
		if i.path == nil {
			// The transformation mirrors text; its own matrix undoes that.
			fmt.Fprintf(&b, "BT /F %s Tf 1 0 0 -1 %s %s Tm (%s) Tj ET\n", num(i.size), num(i.x), num(i.y), escape(i.text))
			continue
		}
		if i.fill >= 0 {
			fmt.Fprintf(&b, "%s g ", num(i.fill))
		}
		if i.line > 0 {
			fmt.Fprintf(&b, "%s G %s w ", num(i.grey), num(i.line))
		}
		i.draw(&b, "%s %s m ", "%s %s l ", "%s %s %s %s %s %s c ")
		switch {
		case i.fill >= 0 && i.line > 0:
			b.WriteString("B\n")
		case i.fill >= 0:
			b.WriteString("f\n")
		default:
			b.WriteString("S\n")
		}
	}
	return b.String()
}

// escape formats text as a PDF string in WinAnsiEncoding; other characters become question marks.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r > 0xff:
			b.WriteByte('?')
		case r > 0x7e:
			fmt.Fprintf(&b, "\\%03o", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
