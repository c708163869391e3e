//! Engines for the verbs that need some.

use std::error::Error;

use tabiya_arena::player::PlayerSpec;
use tabiya_arena::watchdog::Interrupt;
use tabiya_engine::{Analyst, Engine};

use crate::identity::COMMIT;

/// What every verb that starts engines says about them.
pub(crate) const HOW_TO_NAME_AN_ENGINE: &str = "\
Engines:
  tabiya                     this program's own engine
  /usr/games/stockfish       a program; UCI or CECP is found out
  \"gnuchess --uci name=GNU option.Hash=16 tc=8+0.08 dir=/tmp proto=uci\"
                             with arguments, and with any of these settings; the limits are
                             tc=, movetime=, nodes= and depth=; quotation marks hold words together";

/// The engine of this program, its search margins among the options: the arena sets those that a player
/// asks for.
pub(crate) fn own_engine(
    _spec: &PlayerSpec,
) -> Result<Box<dyn Analyst>, Box<dyn Error + Send + Sync>> {
    Ok(Box::new(Engine::tunable()?.built_from(COMMIT)))
}

/// An interrupt that Ctrl-C raises.
pub(crate) fn interrupt_on_ctrl_c() -> Result<Interrupt, ctrlc::Error> {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    ctrlc::set_handler(move || raised.raise())?;
    Ok(interrupt)
}
