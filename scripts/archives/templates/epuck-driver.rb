class EpuckDriver < Formula
  desc "ROS 2 driver of the e-puck2 robot, and a simulator for it"
  homepage "{{.Project}}"
  version "{{.Version}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "{{.URL "darwin-arm64"}}"
      sha256 "{{.Sum "darwin-arm64"}}"
    end
    on_intel do
      url "{{.URL "darwin-amd64"}}"
      sha256 "{{.Sum "darwin-amd64"}}"
    end
  end

  on_linux do
    on_arm do
      url "{{.URL "linux-arm64"}}"
      sha256 "{{.Sum "linux-arm64"}}"
    end
    on_intel do
      url "{{.URL "linux-amd64"}}"
      sha256 "{{.Sum "linux-amd64"}}"
    end
  end

  def install
    bin.install "epuck-driver"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/epuck-driver.bash" => "epuck-driver"
    zsh_completion.install "completions/_epuck-driver"
    fish_completion.install "completions/epuck-driver.fish"
  end

  test do
    assert_match "epuck-driver", shell_output("#{bin}/epuck-driver version")
  end
end
