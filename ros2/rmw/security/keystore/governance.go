// SPDX-License-Identifier: Apache-2.0

package keystore

import "fmt"

// protection is how the topics of a domain are protected, in the words of DDS Security 1.1, 9.4.1.2.
type protection struct{ discovery, liveliness, rtps, metadata, data string }

// defaultGovernance is that of SROS2: all messages are signed, and everything in them is encrypted, twice.
func defaultGovernance(domain uint32) string {
	return protection{"ENCRYPT", "ENCRYPT", "SIGN", "ENCRYPT", "ENCRYPT"}.governance(domain)
}

// classGovernance protects each topic by keys of its own, and shows each receiver who has made a message: an
// enclave that only reads a topic has the key by which it is signed, and could write as another one otherwise.
func classGovernance(domain uint32, encrypt bool) string {
	kind := "SIGN_WITH_ORIGIN_AUTHENTICATION"
	if encrypt {
		kind = "ENCRYPT_WITH_ORIGIN_AUTHENTICATION"
	}
	return protection{kind, kind, "NONE", kind, "NONE"}.governance(domain)
}

// governance returns the document for one domain: who has no key cannot join.
func (p protection) governance(domain uint32) string {
	return fmt.Sprintf(`<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" `+
		`xsi:noNamespaceSchemaLocation="http://www.omg.org/spec/DDS-SECURITY/20170901/omg_shared_ca_governance.xsd">
  <domain_access_rules>
    <domain_rule>
      <domains>
        <id>%d</id>
      </domains>
      <allow_unauthenticated_participants>false</allow_unauthenticated_participants>
      <enable_join_access_control>true</enable_join_access_control>
      <discovery_protection_kind>%s</discovery_protection_kind>
      <liveliness_protection_kind>%s</liveliness_protection_kind>
      <rtps_protection_kind>%s</rtps_protection_kind>
      <topic_access_rules>
        <topic_rule>
          <topic_expression>*</topic_expression>
          <enable_discovery_protection>true</enable_discovery_protection>
          <enable_liveliness_protection>true</enable_liveliness_protection>
          <enable_read_access_control>true</enable_read_access_control>
          <enable_write_access_control>true</enable_write_access_control>
          <metadata_protection_kind>%s</metadata_protection_kind>
          <data_protection_kind>%s</data_protection_kind>
        </topic_rule>
      </topic_access_rules>
    </domain_rule>
  </domain_access_rules>
</dds>
`, domain, p.discovery, p.liveliness, p.rtps, p.metadata, p.data)
}
