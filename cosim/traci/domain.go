// SPDX-License-Identifier: Apache-2.0

package traci

import (
	"errors"

	"github.com/epuck-ros2/epuck-driver/cosim/traci/wire"
)

// errVariable: a domain has no such variable.
var errVariable = errors.New("traci: variable")

// domain is a kind of objects. Get appends a value with its type; args is what follows the object in the command, and
// is read only by those variables that have parameters. Errors are refusals, errVariable or those of package wire.
type domain struct {
	reads, sets string // what SUMO calls it in errors of both kinds
	ids         func() []string
	get         func(b []byte, id string, variable byte, args *wire.Reader) ([]byte, error)
	set         func(id string, variable byte, args *wire.Reader) error
	at          func(id string) (wire.Point, bool) // for context subscriptions; nil: objects are nowhere
	gui         bool                               // needs SUMO's window
}

func (w *state) newDomains() (d [16]domain) {
	d[domLoop] = w.none("Induction Loop", "Set Induction Variable", "Induction loop '%s' is not known")
	d[domMulti] = w.none("Multi Entry Exit Detector", "Set Multi Entry Exit Detector Variable", "Multi entry exit detector '%s' is not known")
	d[domLights] = w.none("TLS", "Change TLS State", "Traffic light '%s' is not known")
	d[domLane] = w.none("Lane", "Change Lane State", "Lane '%s' is not known")
	d[domVehicle] = domain{reads: "Vehicle", sets: "Change Vehicle State", ids: w.vehicleIDs, get: w.getVehicle, set: w.setVehicle, at: w.vehicleAt}
	d[domType] = domain{reads: "Vehicle Type", sets: "Change Vehicle Type State", ids: w.typeIDs, get: w.getType, set: w.setType}
	d[domRoute] = domain{reads: "Route", sets: "Change Route State", ids: w.routeIDs, get: w.getRoute, set: w.setRoute}
	d[domPOI] = domain{reads: "PoI", sets: "Change PoI State", ids: w.drawings.spotIDs, get: w.drawings.getSpot, set: w.drawings.setSpot, at: w.drawings.spotAt}
	d[domPolygon] = domain{reads: "Polygon", sets: "Change Polygon State", ids: w.drawings.polygonIDs, get: w.drawings.getPolygon, set: w.drawings.setPolygon, at: w.drawings.polygonAt}
	d[domJunction] = w.none("Junction", "Set Junction Variable", "Junction '%s' is not known")
	d[domEdge] = domain{reads: "Edge", sets: "Change Edge State", ids: w.edgeIDs, get: w.getEdge, set: w.setEdge}
	d[domSimulation] = domain{reads: "Simulation", sets: "Set Simulation Variable", get: w.getSimulation, set: w.setSimulation}
	d[domGUI] = domain{gui: true}
	d[domArea] = w.none("Lane Area Detector", "Set Lane Area Detector Variable", "Lane area detector '%s' is not known")
	d[domPerson] = domain{reads: "Person", sets: "Change Person State", ids: w.personIDs, get: w.getPerson, set: w.setPerson, at: w.personAt}
	d[domBusStop] = w.none("BusStop", "Change BusStop State", "busStop '%s' is not known")
	return d
}

// none is a domain of which a world of robots has nothing: its list is empty, and no name is known.
func (w *state) none(reads, sets, unknown string) domain {
	return domain{
		reads: reads, sets: sets, ids: func() []string { return nil },
		get: func(_ []byte, id string, _ byte, _ *wire.Reader) ([]byte, error) { return nil, refuse(unknown, id) },
		set: func(id string, _ byte, _ *wire.Reader) error { return refuse(unknown, id) },
	}
}

// fetch appends the value of a variable of any domain.
func (w *state) fetch(b []byte, dom byte, id string, variable byte, args *wire.Reader) ([]byte, error) {
	d := &w.domains[dom]
	if d.gui {
		return b, errGUI()
	}
	if d.ids != nil && variable == varIDs {
		return wire.TypeStrings(b, d.ids()), nil
	}
	if d.ids != nil && variable == varCount {
		return wire.TypeInt(b, len(d.ids())), nil
	}
	out, err := d.get(b, id, variable, args)
	switch {
	case errors.Is(err, errVariable):
		return b, refuse("Get %s Variable: unsupported variable 0x%02x specified", d.reads, variable)
	case err != nil:
		return b, err
	}
	return out, nil
}

// change sets a variable of any domain.
func (w *state) change(dom byte, id string, variable byte, args *wire.Reader) error {
	d := &w.domains[dom]
	if d.gui {
		return errGUI()
	}
	err := d.set(id, variable, args)
	if errors.Is(err, errVariable) {
		return refuse("%s: unsupported variable 0x%02x specified", d.sets, variable)
	}
	return err
}

// errGUI is what a SUMO without a window says; clients take it as that.
func errGUI() error {
	return &refusal{wire.NotImplemented, "GUI is not running, command not implemented in command line sumo"}
}

// require returns a refusal if a value has another type than required; any other fault of it is an error.
func require(args *wire.Reader, text string) error {
	if err := args.Err(); errors.Is(err, wire.ErrType) {
		return refuse("%s", text)
	} else if err != nil {
		return err
	}
	return nil
}

// compound reads the head of a compound that must have n items.
func compound(args *wire.Reader, n int, none, wrong string) error {
	got := args.TypedCompound()
	if err := require(args, none); err != nil {
		return err
	}
	if got != n {
		return refuse("%s", wrong)
	}
	return nil
}

// getNote appends a parameter; what was never set is empty.
func getNote(b []byte, notes map[string]string, variable byte, args *wire.Reader) ([]byte, error) {
	key := args.TypedString()
	if err := require(args, "Retrieval of a parameter requires its name."); err != nil {
		return nil, err
	}
	return appendNote(b, key, notes[key], variable), nil
}

func appendNote(b []byte, key, value string, variable byte) []byte {
	if variable == varParameterKey {
		b = wire.TypeString(wire.TypeCompound(b, 2), key)
	}
	return wire.TypeString(b, value)
}

const (
	// maxNotes and maxNote bound what clients can make the server remember of an object.
	maxNotes = 1000
	maxNote  = 1 << 16
)

// readNote reads a parameter to be set.
func readNote(args *wire.Reader) (key, value string, err error) {
	const none = "A compound object is needed for setting a parameter."
	if err := compound(args, 2, none, none); err != nil {
		return "", "", err
	}
	if key = args.TypedString(); require(args, "") != nil {
		return "", "", refuse("The name of the parameter must be given as a string.")
	}
	if value = args.TypedString(); require(args, "") != nil {
		return "", "", refuse("The value of the parameter must be given as a string.")
	}
	return key, value, nil
}

// setNote sets a parameter.
func setNote(notes *map[string]string, args *wire.Reader) error {
	key, value, err := readNote(args)
	if err != nil {
		return err
	}
	if *notes == nil {
		*notes = make(map[string]string)
	}
	if len(*notes) >= maxNotes || len(key)+len(value) > maxNote {
		return refuse("Parameter '%s': at most %d of %d bytes.", key, maxNotes, maxNote)
	}
	(*notes)[key] = value
	return nil
}

// sharedNotes are the parameters of all objects that have none of their own: domain and name, key.
type sharedNotes map[string]map[string]string

// set sets a parameter of an object.
func (n sharedNotes) set(dom byte, id string, args *wire.Reader) error {
	key := string(rune('0'+dom)) + id
	notes := n[key]
	if err := setNote(&notes, args); err != nil {
		return err
	}
	if len(n) < maxNotes {
		n[key] = notes
	}
	return nil
}

// of returns the parameters of an object.
func (n sharedNotes) of(dom byte, id string) map[string]string {
	return n[string(rune('0'+dom))+id]
}
