//! The options, all from the one registry.

use tabiya_chess::{Game, Position};
use tabiya_engine::{Analyst, Engine, Limits, OptionError, OptionKind, RunOn};

fn default_of(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Check { default } => default.to_string(),
        OptionKind::Spin { default, .. } => default.to_string(),
        OptionKind::Combo { default, .. } | OptionKind::Text { default } => default.clone(),
        OptionKind::Button => String::new(),
    }
}

/// Nodes of a search to a fixed depth, and the value it finds.
fn search(engine: &mut Engine) -> (u64, Option<i32>) {
    let fen = "r1bq1rk1/pp2bppp/2n2n2/2pp4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 9";
    let game = Game::new(Position::from_fen(fen).unwrap());
    engine.new_game().unwrap();
    let limits = Limits { depth: Some(7), ..Limits::default() };
    let result = engine.search(&game, &limits, RunOn::Waiter, None).unwrap().wait().unwrap();
    (result.info.unwrap().nodes, result.value)
}

#[test]
fn every_option_has_a_help_and_takes_its_default() {
    let mut engine = Engine::tunable().unwrap();
    let options = engine.options().to_vec();
    assert!(options.len() > 100, "the search's margins are among them");
    for option in options {
        assert!(option.help.ends_with('.'), "{}: {:?}", option.name, option.help);
        // These two want a file.
        if option.name.ends_with(" Hash") && option.name != "Clear Hash" {
            continue;
        }
        let name = option.name.to_uppercase();
        assert_eq!(engine.set_option(&name, &default_of(&option.kind)), Ok(()), "{name}");
    }
}

#[test]
fn an_unknown_name_and_a_value_that_does_not_fit_change_nothing() {
    let mut engine = Engine::new().unwrap();
    let before = search(&mut engine);
    assert!(matches!(engine.set_option("Hush", "1"), Err(OptionError::Unknown(_))));
    assert!(matches!(engine.set_option("Hash", "0"), Err(OptionError::Unfit { .. })));
    assert!(matches!(engine.set_option("Eval Terms", "spice"), Err(OptionError::Failed { .. })));
    assert_eq!(search(&mut engine), before);
}

#[test]
fn eval_terms_switch_the_classical_evaluation() {
    let mut engine = Engine::new().unwrap();
    let by_network = search(&mut engine);
    engine.set_option("Eval Terms", "material").unwrap();
    assert_eq!(search(&mut engine), by_network, "the network has no terms");

    engine.set_option("Eval Mode", "classical").unwrap();
    let material = search(&mut engine);
    engine.set_option("Eval Mode", "material").unwrap();
    assert_eq!(search(&mut engine), material, "the same by another name");
    engine.set_option("Eval Mode", "classical").unwrap();
    engine.set_option("Eval Terms", "all").unwrap();
    let all = search(&mut engine);
    assert_ne!(all, material);
    engine.set_option("Eval Terms", "-mobility,-space").unwrap();
    assert_ne!(search(&mut engine), all);
    let error = engine.set_option("Eval Terms", "spice").unwrap_err().to_string();
    assert!(error.contains("there is no term \"spice\"; the terms are material, "), "{error}");
    engine.set_option("Eval Terms", "<empty>").unwrap();
    assert_eq!(search(&mut engine), all, "an empty text is the default");
}

#[test]
fn another_part_of_the_program_adds_its_own_options() {
    let mut engine = Engine::new().unwrap();
    engine.extend_options(|options| {
        options.check("Own Book", false, "Plays from a book.", |engine, on| {
            engine
                .set_option("MultiPV", if on { "2" } else { "1" })
                .map_err(|error| error.to_string())
        });
    });
    assert_eq!(engine.options().last().map(|option| option.name.as_str()), Some("Own Book"));
    assert_eq!(engine.set_option("own book", "true"), Ok(()));
    assert!(engine.set_option("own book", "perhaps").is_err());
}
