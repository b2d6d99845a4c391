// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"testing"

	"github.com/epuck-ros2/epuck-driver/msgs/internal/idl"
)

func TestGoNames(t *testing.T) {
	for ros, want := range map[string]string{
		"data": "Data", "child_frame_id": "ChildFrameID", "is_bigendian": "IsBigendian", "x_offset": "XOffset",
		"uv_coordinates": "UVCoordinates", "ns": "NS", "ixx": "Ixx", "e2": "E2", "map_url": "MapURL",
		"POWER_SUPPLY_TECHNOLOGY_LION": "PowerSupplyTechnologyLiIon", "DELETEALL": "DeleteAll",
	} {
		if got := goName(ros); got != want {
			t.Errorf("goName(%q) = %q, want %q", ros, got, want)
		}
	}
	for ros, want := range map[string]string{"type_hash": "TypeHash_", "ros_type": "ROSType_", "type_definition": "TypeDefinition_", "type": "Type"} {
		if got := goFieldName(ros); got != want {
			t.Errorf("goFieldName(%q) = %q, want %q", ros, got, want)
		}
	}
}

func TestConstantNamesDoNotRepeatTheType(t *testing.T) {
	for _, c := range []struct{ typ, ros, want string }{
		{"Range", "INFRARED", "RangeInfrared"},
		{"ParameterType", "PARAMETER_BOOL", "ParameterTypeBool"},
		{"FieldType", "FIELD_TYPE_INT8", "FieldTypeInt8"},
		{"State", "STATE", "StateState"},
		{"State", "PRIMARY_STATE_ACTIVE", "StatePrimaryStateActive"},
		{"LoadMap_Response", "RESULT_SUCCESS", "LoadMapResponseResultSuccess"},
	} {
		if got := goConstName(c.typ, c.ros); got != c.want {
			t.Errorf("goConstName(%q, %q) = %q, want %q", c.typ, c.ros, got, c.want)
		}
	}
}

func TestFileNames(t *testing.T) {
	for ros, want := range map[string]string{
		"Bool": "bool", "CameraInfo": "camera_info", "UInt8MultiArray": "uint8_multi_array", "TF2Error": "tf2_error",
		"TFMessage": "tf_message", "ColorRGBA": "color_rgba", "MultiDOFJointState": "multi_dof_joint_state",
		"PointCloud2": "point_cloud2", "UVCoordinate": "uv_coordinate", "Pose2D": "pose2_d",
	} {
		if got := fileName(ros); got != want {
			t.Errorf("fileName(%q) = %q, want %q", ros, got, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		base  idl.Base
		value idl.Value
		want  string
	}{
		{idl.Bool, idl.Value{Bool: true}, "true"},
		{idl.Int8, idl.Value{Int: -128}, "-128"},
		{idl.Uint64, idl.Value{Uint: 1<<64 - 1}, "18446744073709551615"},
		{idl.Byte, idl.Value{Uint: 7}, "7"},
		{idl.Float32, idl.Value{Float: float64(float32(0.1))}, "0.1"},
		{idl.Float64, idl.Value{Float: -1e-9}, "-1e-09"},
		{idl.String, idl.Value{Str: "a\"b\n"}, `"a\"b\n"`},
	} {
		if got := goLiteral(c.base, c.value); got != c.want {
			t.Errorf("goLiteral(%s, %+v) = %s, want %s", c.base, c.value, got, c.want)
		}
	}
}
