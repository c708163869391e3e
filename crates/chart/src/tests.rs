use super::*;

fn chart(drawing: Drawing) -> Chart {
    Chart { title: "A <b> & \"c\"".into(), subtitle: "s".into(), drawing }
}

fn lines(axis: YScale, points: Vec<Point>) -> String {
    let line = Curve { name: "</svg>\u{1b}".into(), reference: false, points };
    let lines = LineChart { x: "x".into(), y: "y".into(), axis, curves: vec![line] };
    chart(Drawing::Lines(lines)).svg()
}

fn points(rows: &[(&str, f64, Option<f64>)]) -> String {
    let row = |&(name, value, error): &(&str, f64, Option<f64>)| DotRow {
        name: name.into(),
        value,
        error,
    };
    chart(Drawing::Dots(DotPlot { rows: rows.iter().map(row).collect() })).svg()
}

fn is_sound(svg: &str) {
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert_eq!(svg.matches("</svg>").count(), 1, "{svg}");
    assert!(svg.contains("A &lt;b&gt; &amp; &quot;c&quot;"), "{svg}");
    assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains('\u{1b}'), "{svg}");
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
    let size = |name| number(svg.split(name).nth(1).unwrap());
    let (width, height) = (size(" width=\""), size(" height=\""));
    for (attribute, limit) in
        [(" cx=\"", width), (" cy=\"", height), (" x=\"", width), (" y=\"", height)]
    {
        for value in svg.split(attribute).skip(1).map(number) {
            assert!((0.0..=limit).contains(&value), "{attribute}{value} of {limit}");
        }
    }
}

#[test]
fn every_point_of_a_curve_is_drawn_inside_the_picture() {
    for axis in [YScale::Close, YScale::FromZero, YScale::Logarithmic] {
        for values in [
            &[][..],
            &[(1.0, 0.0)],
            &[(1.0, 5.0), (2.0, 50_000.0)],
            &[(1e14, 1.0)],
            &[(-3.0, 1.0), (-1.0, 2.0)],
            &[(0.2, 1.0), (0.7, 2.0)],
            &[(1.0, 1e-9), (2.0, 1e11)],
        ] {
            let svg = lines(axis, values.iter().map(|&(x, y)| Point::exact(x, y)).collect());
            is_sound(&svg);
            assert_eq!(svg.matches("<circle").count(), values.len(), "{axis:?}");
        }
    }
}

#[test]
fn what_cannot_be_drawn_is_left_out() {
    let ys = [f64::NAN, f64::INFINITY, -1e300, 1.0];
    let svg = lines(YScale::Close, ys.map(|y| Point { x: 1.0, y, error: 0.1 }).to_vec());
    is_sound(&svg);
    assert_eq!(svg.matches("<circle").count(), 1);
    let svg = points(&[("a", f64::NAN, None), ("b", 1.0, Some(f64::INFINITY)), ("c", 1.0, None)]);
    is_sound(&svg);
    assert_eq!(svg.matches("<circle").count(), 1);
}

#[test]
fn an_error_bar_belongs_to_a_point_with_an_error() {
    let bars = |error| lines(YScale::Close, vec![Point { x: 1.0, y: 2.0, error }]);
    let has_bar = |svg: &str| svg.lines().any(|line| line.contains("<path") && line.contains('V'));
    assert!(has_bar(&bars(0.5)) && !has_bar(&bars(0.0)));
}

#[test]
fn counts_have_whole_ticks() {
    let svg =
        lines(YScale::FromZero, vec![Point::exact(100_001.0, 1.0), Point::exact(100_003.0, 2.0)]);
    assert!(svg.contains(">100,003<") && !svg.contains(">100,004<"), "{svg}");
    assert!(!svg.contains(">100,001."), "{svg}");
}

#[test]
fn there_is_a_bar_for_each_value() {
    let series = |name: &str, reference, values: [Option<f64>; 2], ranges| BarSeries {
        name: name.into(),
        reference,
        values: values.to_vec(),
        ranges,
    };
    let svg = chart(Drawing::Bars(Bars {
        groups: vec!["one".into(), "x".repeat(500)],
        series: vec![
            series("then", true, [Some(1.0), None], vec![]),
            series("now", false, [Some(2.0), Some(0.0)], vec![Some((1.0, 1e12)), None]),
            series("odd", false, [Some(f64::NAN), None], vec![]),
        ],
        mark: Some(1.0),
    }))
    .svg();
    is_sound(&svg);
    assert_eq!(svg.matches(r#"rx="1.5""#).count(), 3, "a bar for each value");
    assert_eq!(svg.matches("stroke-dasharray").count(), 1, "the mark");
}

#[test]
fn a_grid_has_all_its_cells() {
    let names = |count: u32| (0..count).map(|number| number.to_string()).collect();
    let grid = |value: f64| {
        let values = vec![vec![value; 8]; 8];
        chart(Drawing::Grid(Grid { rows: names(8), columns: names(8), values, decimals: 0 })).svg()
    };
    is_sound(&grid(4.0));
    assert_eq!(grid(4.0).matches(r#"rx="2""#).count(), 64);
    is_sound(&grid(f64::NAN));
    assert_eq!(grid(f64::NAN).matches(r#"rx="2""#).count(), 0);
}

#[test]
fn every_row_of_a_table_is_drawn_in_its_order() {
    let svg = points(&[
        ("strong", 812.5, Some(44.0)),
        ("anchor", 100.0, None),
        ("weak", -250.0, Some(300.0)),
    ]);
    is_sound(&svg);
    assert_eq!(svg.matches("<circle").count(), 3);
    assert!(svg.find(">strong<").unwrap() < svg.find(">weak<").unwrap());
    assert!(svg.contains(">−250<") && svg.contains("> ± 300<"), "{svg}");
}

#[test]
fn odd_rows_make_a_picture_all_the_same() {
    let long = "Z".repeat(500);
    for rows in [
        &[][..],
        &[("a", 0.0, None)],
        &[("a", 5.0, Some(0.0)), ("b", 5.0, Some(0.0))],
        &[("a", -1e12, Some(1e12)), ("b", 1e12, Some(3.0))],
        &[("</text><script>&\u{0}\u{1b}", 0.0, Some(1.0)), (&long, 1.0, Some(1.0))],
    ] {
        let svg = points(rows);
        is_sound(&svg);
        assert!(svg.matches("<path").count() < 40);
        assert!(!svg.contains("<script") && !svg.contains('\u{0}'));
        assert!(!svg.contains(&"Z".repeat(60)));
    }
}

#[test]
fn a_long_title_is_cut() {
    let rows = vec![DotRow { name: "a".into(), value: 1.0, error: None }];
    let title = "Z".repeat(500);
    let svg =
        Chart { title, subtitle: String::new(), drawing: Drawing::Dots(DotPlot { rows }) }.svg();
    assert!(!svg.contains(&"Z".repeat(100)) && svg.contains('…'));
}
