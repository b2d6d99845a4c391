#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds ARGoS 3 without graphics from its source (github.com/ilpincy/argos3, unpacked) into a folder, with a controller
# and scenes equal to those of our benchmark, for a comparison: EPUCK_ARGOS=FOLDER make bench.
# It needs g++, cmake and libtinyxml2-dev, and three minutes of processor time. Usage: argos.sh SOURCE FOLDER
set -euo pipefail
source=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")

# Only what the scenes need: no graphics, no other robots, no other physics engines.
tree=$folder/source
rm -rf "$tree"
cp -rL "$source/src" "$tree" 2>/dev/null || cp -r "$source/src" "$tree"
rm -rf "$tree/argos3" && ln -s . "$tree/argos3"
sed -i '/testing/d; /ARGoSPackaging/d' "$tree/CMakeLists.txt"
printf 'add_subdirectory(generic)\nadd_subdirectory(e-puck)\n' >"$tree/plugins/robots/CMakeLists.txt"
printf 'add_subdirectory(physics_engines)\nadd_subdirectory(media)\nadd_subdirectory(entities)\n' >"$tree/plugins/simulator/CMakeLists.txt"
sed -i '/dynamics3d\|pointmass3d/d' "$tree/plugins/simulator/physics_engines/CMakeLists.txt"
sed -i '/dynamics3d/d; s/_dynamics2d$/_dynamics2d)/' "$tree/plugins/robots/e-puck/CMakeLists.txt"
mkdir -p "$folder/build" "$folder/bin" "$folder/lib"
cd "$folder/build"
cmake -DCMAKE_BUILD_TYPE=Release -DARGOS_DOCUMENTATION=OFF -DARGOS_INSTALL_LDSOCONF=OFF "$tree" >cmake.log
make -j"$(nproc)" >make.log
cp core/argos3 "$folder/bin/argos3.bin"
find . -name '*.so' -exec cp {} "$folder/lib/" \;
cat >"$folder/bin/argos3" <<EOF
#!/bin/sh
export ARGOS_PLUGIN_PATH='$folder/lib' LD_LIBRARY_PATH='$folder/lib'
exec '$folder/bin/argos3.bin' "\$@"
EOF
chmod +x "$folder/bin/argos3"

cat >"$folder/avoid.cpp" <<'EOF'
// Obstacle avoidance with the e-puck's eight proximity sensors, and optional messages by range and bearing.
#include <argos3/core/control_interface/ci_controller.h>
#include <argos3/plugins/robots/e-puck/control_interface/ci_epuck_proximity_sensor.h>
#include <argos3/plugins/robots/generic/control_interface/ci_differential_steering_actuator.h>
#include <argos3/plugins/robots/generic/control_interface/ci_range_and_bearing_actuator.h>
#include <argos3/plugins/robots/generic/control_interface/ci_range_and_bearing_sensor.h>
using namespace argos;
class Avoid : public CCI_Controller {
  CCI_DifferentialSteeringActuator* wheels = nullptr;
  CCI_EPuckProximitySensor* proximity = nullptr;
  CCI_RangeAndBearingActuator* sender = nullptr;
  CCI_RangeAndBearingSensor* receiver = nullptr;
 public:
  void Init(TConfigurationNode& node) override {
    bool talks = false;
    GetNodeAttributeOrDefault(node, "talks", talks, talks);
    wheels = GetActuator<CCI_DifferentialSteeringActuator>("differential_steering");
    proximity = GetSensor<CCI_EPuckProximitySensor>("epuck_proximity");
    if (talks) {
      sender = GetActuator<CCI_RangeAndBearingActuator>("range_and_bearing");
      receiver = GetSensor<CCI_RangeAndBearingSensor>("range_and_bearing");
    }
  }
  void ControlStep() override {
    Real right = 0, left = 0;
    for (const auto& r : proximity->GetReadings())
      if (r.Angle.GetAbsoluteValue() < 1.9) (r.Angle.GetValue() > 0 ? left : right) += r.Value;
    Real heard = 0;
    if (sender) {
      sender->SetData(0, 1);
      sender->SetData(1, 2);
      for (const auto& p : receiver->GetReadings()) heard += p.Range;
    }
    if (left + right < 0.05 + 0 * heard) wheels->SetLinearVelocity(8, 8);
    else if (left > right) wheels->SetLinearVelocity(8, -8);
    else wheels->SetLinearVelocity(-8, 8);
  }
};
REGISTER_CONTROLLER(Avoid, "avoid_controller")
EOF
g++ -std=c++17 -O3 -DNDEBUG -fPIC -shared -I"$tree" -I"$folder/build" "$folder/avoid.cpp" -o "$folder/lib/libavoid.so"

scene() { # robots, talks
  local side name sender='' receiver='' media=''
  side=$(awk "BEGIN{print sqrt($1/2.5)}")
  name=scene-$1
  if [ "$2" = true ]; then
    name=talk-$1
    sender='<range_and_bearing implementation="default"/>'
    receiver='<range_and_bearing implementation="medium" medium="rab"/>'
    media='<range_and_bearing id="rab"/>'
  fi
  cat >"$folder/$name.argos" <<EOF
<?xml version="1.0" ?>
<argos-configuration>
  <framework><system threads="0"/><experiment length="100" ticks_per_second="10" random_seed="1"/></framework>
  <controllers>
    <avoid_controller id="c" library="$folder/lib/libavoid.so">
      <actuators><differential_steering implementation="default"/>$sender</actuators>
      <sensors><epuck_proximity implementation="default" noise_level="0.05"/>$receiver</sensors>
      <params talks="$2"/>
    </avoid_controller>
  </controllers>
  <arena size="$(awk "BEGIN{print $side+1}"),$(awk "BEGIN{print $side+1}"),1" center="0,0,0.5">
$(for w in "0,$side:$side,0.1" "0,-$side:$side,0.1" "$side,0:0.1,$side" "-$side,0:0.1,$side"; do
    at=${w%%:*}; size=${w##*:}
    awk -F, -v at="$at" -v size="$size" 'BEGIN{split(at,a,","); split(size,s,",");
      printf "    <box id=\"w%s%s\" size=\"%s,%s,0.3\" movable=\"false\"><body position=\"%g,%g,0\" orientation=\"0,0,0\"/></box>\n",
        a[1],a[2],s[1]+(s[1]>0.1?0.1:0),s[2],a[1]/2,a[2]/2}'
  done)
    <distribute>
      <position method="uniform" min="$(awk "BEGIN{print -$side/2+0.15}"),$(awk "BEGIN{print -$side/2+0.15}"),0" max="$(awk "BEGIN{print $side/2-0.15}"),$(awk "BEGIN{print $side/2-0.15}"),0"/>
      <orientation method="uniform" min="0,0,0" max="360,0,0"/>
      <entity quantity="$1" max_trials="1000"><e-puck id="e"><controller config="c"/></e-puck></entity>
    </distribute>
  </arena>
  <physics_engines><dynamics2d id="d" iterations="10"/></physics_engines>
  <media>$media</media>
</argos-configuration>
EOF
}
for n in 10 100 1000; do scene "$n" false; scene "$n" true; done
echo "ARGoS and its scenes are in $folder: EPUCK_ARGOS=$folder make bench"
