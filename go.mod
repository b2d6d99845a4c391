module github.com/epuck-ros2/epuck-driver

go 1.26.0

require (
	github.com/coreos/go-systemd/v22 v22.7.0
	github.com/google/go-cmp v0.7.0
	github.com/pion/mediadevices v0.9.4
	github.com/rogpeppe/go-internal v1.16.0
	github.com/tiiuae/rclgo v0.0.0-20240131135202-56b24e11219b
	github.com/vladimirvivien/go4vl v0.3.0
	go.uber.org/goleak v1.3.0
	go.yaml.in/yaml/v3 v3.0.6
	golang.org/x/net v0.62.0
	golang.org/x/sys v0.49.0
	periph.io/x/conn/v3 v3.7.2
	periph.io/x/host/v3 v3.8.5
	pgregory.net/rapid v1.3.0
)

require (
	github.com/google/uuid v1.6.0 // indirect
	golang.org/x/image v0.23.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
)
