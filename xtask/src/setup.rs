//! What the checks need besides Rust itself, and how it gets onto this machine.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::error::Error;
use crate::workspace::{self, find_program};

/// Something that a check uses.
struct Need {
    name: &'static str,
    kind: Kind,
    used_by: &'static str,
}

enum Kind {
    /// A subcommand of cargo, compiled from the crate registry into `target/tools`.
    CargoTool { version: &'static str },
    /// A Debian package, known to be there by a program of its own.
    Debian { program: &'static str },
    /// A package from PyPI, in the virtual environment `target/venv`.
    PyPi { version: &'static str },
    /// Files in the sources of a package from PyPI, unpacked into a folder of `target`; the first of
    /// them is known by name.
    PyPiFiles {
        version: &'static str,
        inside: &'static str,
        folder: &'static str,
        first: &'static str,
    },
}

/// All that `cargo xtask setup` installs. Debian packages come first: the rest may build on them.
const NEEDS: &[Need] = &[
    Need {
        name: "g++",
        kind: Kind::Debian { program: "c++" },
        used_by: "fuzzing, which compiles libFuzzer",
    },
    opponent("stockfish"),
    opponent("ethereal-chess"),
    opponent("toga2"),
    opponent("gnuchess"),
    opponent("phalanx"),
    opponent("fairymax"),
    Need {
        name: "chess",
        kind: Kind::PyPi { version: "1.11.2" },
        used_by: "the tests, to read games back and to drive the engine",
    },
    Need {
        name: "chess",
        kind: Kind::PyPiFiles {
            version: "1.11.2",
            inside: "data/syzygy/regular",
            folder: "syzygy",
            first: "KBBvK.rtbw",
        },
        used_by: "the arena's tests, for its tablebases of up to four pieces",
    },
    Need {
        name: "cargo-deny",
        kind: Kind::CargoTool { version: "0.20.2" },
        used_by: "the check of licences",
    },
    Need { name: "cargo-fuzz", kind: Kind::CargoTool { version: "0.13.2" }, used_by: "fuzzing" },
];

/// A chess engine that the arena's tests play against: package and program have one name.
const fn opponent(name: &'static str) -> Need {
    Need { name, kind: Kind::Debian { program: name }, used_by: "the arena's tests, as a peer" }
}

pub(crate) fn run() -> Result<(), Error> {
    let missing: Vec<&Need> = NEEDS.iter().filter(|need| !need.is_met()).collect();
    install_debian(&missing)?;
    for need in missing {
        match need.kind {
            Kind::Debian { .. } => {}
            Kind::CargoTool { version } => {
                need.announce();
                install_cargo_tool(need.name, version)?;
            }
            Kind::PyPi { version } => {
                need.announce();
                install_python_package(need.name, version)?;
            }
            Kind::PyPiFiles { version, inside, folder, .. } => {
                need.announce();
                unpack_python_sources(need.name, version, inside, folder)?;
            }
        }
    }
    Ok(())
}

impl Need {
    fn is_met(&self) -> bool {
        match self.kind {
            Kind::Debian { program } => find_program(program).is_some(),
            Kind::CargoTool { version } => find_program(self.name).is_some_and(|program| {
                says(Command::new(program).arg("--version"), &format!("{} {version}", self.name))
            }),
            Kind::PyPi { version } => {
                let ask = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))";
                says(Command::new(python()).args(["-c", ask, self.name]), version)
            }
            Kind::PyPiFiles { folder, first, .. } => {
                workspace::target().join(folder).join(first).exists()
            }
        }
    }

    fn announce(&self) {
        eprintln!("installing {} (for {})", self.name, self.used_by);
    }
}

/// Whether a command succeeds and prints just that line.
fn says(command: &mut Command, line: &str) -> bool {
    let answer = command.stdin(Stdio::null()).output();
    answer.is_ok_and(|answer| {
        answer.status.success() && answer.stdout.trim_ascii() == line.as_bytes()
    })
}

fn install_debian(missing: &[&Need]) -> Result<(), Error> {
    let is_debian = |need: &&&Need| matches!(need.kind, Kind::Debian { .. });
    let needs: Vec<&Need> = missing.iter().filter(is_debian).copied().collect();
    if needs.is_empty() {
        return Ok(());
    }
    let packages: Vec<&str> = needs.iter().map(|need| need.name).collect();
    let of_needs = || packages.join(" ");
    if find_program("apt-get").is_none() {
        return Err(Error::NoApt { missing: of_needs(), packages: of_needs() });
    }
    let install = ["apt-get", "install", "--yes", "--no-install-recommends"];
    if !rustix::process::geteuid().is_root() {
        let words = install.iter().chain(&packages);
        return Err(Error::NeedsRoot { missing: of_needs(), remedy: workspace::spell(words) });
    }
    needs.iter().for_each(|need| need.announce());
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        workspace::run(&mut command)
    };
    apt(&["update"])?;
    apt(&[&install[1..], &packages].concat())
}

/// Unoptimised and without debug information: these tools run for a second and compile for minutes.
fn install_cargo_tool(name: &str, version: &str) -> Result<(), Error> {
    let build = workspace::tools().join("build");
    let mut command = workspace::cargo(["install", "--quiet", "--locked", "--force", "--debug"]);
    command.arg(format!("{name}@{version}"));
    command.arg("--root").arg(workspace::tools());
    command.arg("--target-dir").arg(&build);
    command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    workspace::run(&mut command)?;
    fs::remove_dir_all(&build).map_err(Error::file("remove", build))
}

fn venv() -> PathBuf {
    workspace::target().join("venv")
}

fn python() -> PathBuf {
    venv().join("bin/python")
}

fn install_python_package(name: &str, version: &str) -> Result<(), Error> {
    let mut command = pip("install")?;
    workspace::run(command.arg(format!("{name}=={version}")))
}

fn unpack_python_sources(
    name: &str,
    version: &str,
    inside: &str,
    folder: &str,
) -> Result<(), Error> {
    let folder = workspace::target().join(folder);
    fs::create_dir_all(&folder).map_err(Error::file("create", &folder))?;
    let mut command = pip("download")?;
    command.args(["--no-deps", "--no-binary", ":all:", "--dest"]).arg(&folder);
    workspace::run(command.arg(format!("{name}=={version}")))?;
    // Above the files are the folder of the package and those inside it.
    let above = 1 + inside.split('/').count();
    let archive = folder.join(format!("{name}-{version}.tar.gz"));
    let mut unpack = Command::new("tar");
    unpack.arg("--extract").arg("--file").arg(&archive).arg("--directory").arg(&folder);
    unpack.arg(format!("--strip-components={above}"));
    workspace::run(unpack.arg(format!("{name}-{version}/{inside}")))?;
    fs::remove_file(&archive).map_err(Error::file("remove", archive))
}

/// The installer of the virtual environment, which is made if there is none.
fn pip(order: &str) -> Result<Command, Error> {
    if !python().exists() {
        workspace::run(Command::new("python3").args(["-m", "venv"]).arg(venv()))?;
    }
    let mut command = Command::new(python());
    command.args(["-m", "pip", order, "--quiet", "--disable-pip-version-check"]);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_the_line_it_prints() {
        assert!(says(Command::new("echo").arg("tool 1.2.3"), "tool 1.2.3"));
        assert!(!says(Command::new("echo").arg("tool 1.2.30"), "tool 1.2.3"));
        assert!(!says(&mut Command::new("false"), ""));
        assert!(!says(&mut Command::new("no-such-program"), ""));
    }

    #[test]
    fn what_is_not_there_is_missing() {
        let unmet = [
            Kind::CargoTool { version: "1.0.0" },
            Kind::Debian { program: "no-such-program" },
            Kind::PyPi { version: "1.0.0" },
            Kind::PyPiFiles { version: "1.0.0", inside: "", folder: "no-such-folder", first: "x" },
        ];
        for kind in unmet {
            assert!(!Need { name: "no-such-thing", kind, used_by: "this test" }.is_met());
        }
        let met = Need { name: "bash", kind: Kind::Debian { program: "sh" }, used_by: "this test" };
        assert!(met.is_met());
    }
}
