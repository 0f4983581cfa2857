// The case of the box: `part` chooses base, lid, caps, a coupon or the assembly. All numbers come
// from dimensions.scad, which `make hardware` writes from dimensions.toml and parts.toml. Prints
// without support: base and lid as they lie here, caps on their flange.
include <dimensions.scad>

part = "assembly"; // base, lid, caps, coupons, assembly, parts, step, explode, pico
// for "step": what is in its place, what is added now and from how far above (mm)
done = [];
new = [];
lift = 30;
$fn = 48;
eps = 0.01;

// ---------------------------------------------------------------------------- helpers

module rounded(x, y, z, r) {
    linear_extrude(z) offset(r) offset(-r) square([x, y]);
}

module at_corners(x, y) {
    for (sx = [-1, 1], sy = [-1, 1]) translate([sx * x / 2, sy * y / 2, 0]) children();
}

// four columns whose corners a board lies in; origin: middle of the board, z from the floor.
// `slide`: the board may be moved that far in y, each way, and still lies on its ledges.
module seat(x, y, z, t, slide = 0) {
    column = seat_overlap + seat_fit + seat_rim;
    long = column + 2 * slide;
    room_y = y + 2 * (seat_fit + slide);
    difference() {
        at_corners(x + 2 * (seat_fit + seat_rim) - column, room_y + 2 * seat_rim - long)
            translate([-column / 2, -long / 2, -eps]) cube([column, long, z + t + eps]);
        translate([-x / 2 - seat_fit, -room_y / 2, z]) cube([x + 2 * seat_fit, room_y, t + 1]);
    }
}

module at_screw_posts() {
    for (x = [screws_inset, case_inside_x - screws_inset], y = [screws_inset, case_inside_y - screws_inset])
        translate([x, y, 0]) children();
}

button_ys = [["ok", ok_y], ["down", down_y], ["up", up_y], ["jury", jury_y]];

module at_buttons() {
    for (button = button_ys) translate([button_x, button[1], 0]) children();
}

// ---------------------------------------------------------------------------- base

module shell() {
    difference() {
        translate([-case_wall, -case_wall, -case_floor])
            rounded(outer_x, outer_y, case_inside_z + case_floor, case_radius);
        rounded(case_inside_x, case_inside_y, case_inside_z + 1, case_radius - case_wall);
    }
    for (x = [-case_tongue_t, case_inside_x]) at_tongues(x)
        translate([0, -tongue_long / 2, case_inside_z - eps]) cube([case_tongue_t, tongue_long, case_tongue + eps]);
}

// short, so that the lid's grooves print as bridges; they are a little longer and wider
tongue_long = 12;

module at_tongues(x) {
    for (part = [1, 3, 5]) translate([x, case_inside_y * part / 6, 0]) children();
}

module grooves() {
    wide = case_tongue_t + 2 * case_tongue_play;
    long = tongue_long + 1;
    for (x = [-case_tongue_t, case_inside_x]) at_tongues(x)
        translate([-case_tongue_play, -long / 2, -1]) cube([wide, long, 1 + case_tongue + case_tongue_play]);
}

// a post grows out of its corner: no gap beside it that would be too narrow to print
module screw_posts() {
    reach = screws_inset + screws_post / 2;
    intersection() {
        translate([-case_wall, -case_wall, -case_floor])
            rounded(outer_x, outer_y, case_inside_z + case_floor, case_radius);
        union() for (sx = [0, 1], sy = [0, 1])
        translate([sx * case_inside_x, sy * case_inside_y, 0]) mirror([sx, 0, 0]) mirror([0, sy, 0])
            difference() {
                translate([0, 0, -eps]) linear_extrude(case_inside_z + eps) hull() {
                    translate([-1, -1]) square([reach + 1, 2]);
                    translate([-1, -1]) square([2, reach + 1]);
                    translate([screws_inset, screws_inset]) circle(d = screws_post);
                }
                translate([screws_inset, screws_inset, case_inside_z - screws_pilot_depth])
                    cylinder(d = screws_pilot, h = screws_pilot_depth + 1);
            }
    }
}

// cut flat towards the pins, whose joints hang beside them
module pico_posts() {
    wide = pico_hole_y + 2 * pico_post_flat;
    translate([pico_centre_x, pico_centre_y, -eps]) intersection() {
        at_corners(pico_hole_x, pico_hole_y) cylinder(d = pico_post, h = pico_stand + eps);
        translate([-pico_board_x, -wide / 2, -1]) cube([2 * pico_board_x, wide, pico_stand + 2]);
    }
}

module pico_pilots() {
    translate([pico_centre_x, pico_centre_y, pico_stand - pico_pilot_depth]) at_corners(pico_hole_x, pico_hole_y)
        cylinder(d = pico_pilot, h = pico_pilot_depth + 1);
}

module pack_fence() {
    translate([pack_centre_x, pack_centre_y, 0]) for (sy = [-1, 1])
        translate([-pack_size_x / 4, sy * (pack_size_y / 2 + seat_fit + 1) - 1, -eps])
            cube([pack_size_x / 2, 2, pack_fence + eps]);
}

// what one reaches of a carrier board from outside: BOOTSEL through the floor, reset and power in the east
module board_openings() {
    for (at = posts) translate([at[0], at[1], buttons_z - board_post_depth])
        cylinder(d = board_post_pilot, h = board_post_depth + 1);
    east = pico_centre_x + pico_board_x / 2;
    translate([east - pico_boot_to, pico_centre_y - pico_boot_half, -case_floor - 1])
        cube([pico_boot_to - pico_boot_from, 2 * pico_boot_half, case_floor + 2]);
    for (y = [reset_y, power_y]) 
        translate([case_inside_x - eps, y - board_window_y / 2, buttons_z + board_board_t - board_window_low])
            cube([case_wall + 2, board_window_y, board_window_z]);
}

// the middle of the Pico's socket above the floor
usb_z = carrier == "strip" ? pico_stand + pico_board_t + pico_usb_z : buttons_z - board_socket - pico_board_t - pico_usb_z;

module slots() {
    translate([case_inside_x - eps, pico_centre_y - plug_slot_x / 2, usb_z - plug_slot_z / 2])
        cube([case_wall + 2, plug_slot_x, plug_slot_z]);
    if (case_battery) {
        translate([charger_centre_x - plug_slot_x / 2, -case_wall - 1,
                   charger_stand + charger_board_t + charger_usb_z - plug_slot_z / 2])
            cube([plug_slot_x, case_wall + 2, plug_slot_z]);
        translate([-case_wall - 1, rocker_centre_y - rocker_slot_y / 2, rocker_centre_z - rocker_slot_z / 2])
            cube([case_wall + 2, rocker_slot_y, rocker_slot_z]);
    }
}

module base() {
    difference() {
        union() {
            shell();
            screw_posts();
            translate([reader_centre_x, reader_centre_y, 0]) seat(reader_board_x, reader_board_y, reader_z, reader_board_t);
            for (y = [screen_south_y, screen_north_y]) translate([screen_centre_x, y, 0])
                seat(screen_board_x, screen_board_y, screen_z, screen_board_t, screen_slide);
            if (carrier == "strip") {
                pico_posts();
                translate([strip_centre_x, strip_centre_y, 0]) seat(strip_board_x, strip_board_y, buttons_z, strip_board_t);
            } else {
                for (at = posts) translate([at[0], at[1], -eps]) cylinder(d = board_post, h = buttons_z + eps);
            }
            if (case_battery) {
                pack_fence();
                intersection() { // the columns beside the wall end in it
                    translate([charger_centre_x, charger_centre_y, 0])
                        seat(charger_board_x, charger_board_y, charger_stand, charger_board_t);
                    translate([0, -1, -1]) cube([case_inside_x, case_inside_y, case_inside_z]);
                }
            }
        }
        slots();
        if (carrier == "strip") pico_pilots();
        else board_openings();
    }
}

// ---------------------------------------------------------------------------- lid (z = 0: its underside)

// origin: middle of the picture; y grows away from the player who reads it
module screen_window() {
    x = screen_lit_x + 2 * screen_margin_x;
    near = screen_lit_y / 2 + screen_margin_near;
    y = near + screen_lit_y / 2 + screen_margin_far;
    step = screen_edge;
    translate([-x / 2, -near, -1]) cube([x, y, case_lid + 2]);
    hull() {
        translate([-x / 2, -near, step]) cube([x, y, eps]);
        rise = case_lid - step + 0.1;
        grow = screen_bevel * rise / (case_lid - step);
        translate([-x / 2 - grow, -near - grow, step + rise]) cube([x + 2 * grow, y + 2 * grow, eps]);
    }
}

module screen_windows() {
    translate([screen_centre_x, screen_south_y + screen_lit_off, 0]) screen_window();
    translate([screen_centre_x, screen_north_y - screen_lit_off, 0]) rotate(180) screen_window();
}

module landing() {
    translate([card_centre_x - pocket_x / 2, card_centre_y - pocket_y / 2, case_lid - card_depth])
        rounded(pocket_x, pocket_y, card_depth + 1, 3);
    translate([card_centre_x - card_notch / 2, -case_wall - 1, case_lid - card_depth])
        cube([card_notch, outer_y + 2, card_depth + 1]);
}

module grille() {
    translate([button_x, buzzer_y, -1]) {
        cylinder(d = buzzer_grille, h = case_lid + 2);
        for (turn = [0:60:300]) rotate(turn) translate([buzzer_diameter / 3, 0, 0]) cylinder(d = buzzer_grille, h = case_lid + 2);
    }
}

module lid() {
    difference() {
        union() {
            translate([-case_wall, -case_wall, 0]) rounded(outer_x, outer_y, case_lid, case_radius);
            // nobody presses JURY by leaning on the box
            translate([button_x, jury_y, eps]) cylinder(d = cap_ring_hole + 2 * cap_ring_wall, h = case_lid + cap_ring - eps);
        }
        translate([button_x, jury_y, case_lid]) cylinder(d = cap_ring_hole, h = cap_ring + 1);
        landing();
        grille();
        grooves();
        screen_windows();
        at_buttons() translate([0, 0, -1]) cylinder(d = cap_hole, h = case_lid + 2);
        at_screw_posts() {
            translate([0, 0, -1]) cylinder(d = screws_passage, h = case_lid + 2);
            translate([0, 0, case_lid - (screws_sink - screws_passage) / 2])
                cylinder(d1 = screws_passage, d2 = screws_sink + 0.2, h = (screws_sink - screws_passage) / 2 + 0.1);
        }
    }
}

// ---------------------------------------------------------------------------- caps (z = 0: lower side of the flange)

module sign(name) {
    if (name == "up") circle(r = 3.4, $fn = 3);
    if (name == "down") rotate(180) circle(r = 3.4, $fn = 3);
    if (name == "ok") circle(r = 2.2);
    if (name == "jury") for (turn = [0, 90]) rotate(turn) square([6.4, 1.8], center = true);
}

module cap(name, height) {
    difference() {
        union() {
            cylinder(d = cap_flange, h = cap_flange_t);
            cylinder(d = cap_diameter, h = height);
        }
        translate([0, 0, -1]) cylinder(d = cap_socket, h = cap_socket_depth + 1);
        translate([0, 0, height - cap_mark]) rotate(90) linear_extrude(1) sign(name);
    }
}

module caps() {
    names = ["ok", "down", "up", "jury"];
    for (i = [0:3]) translate([i * (cap_flange + 4), 0, 0]) cap(names[i], names[i] == "jury" ? jury_height : cap_height);
}

function height_of(name) = name == "jury" ? jury_height : cap_height;

module signs_in_place() {
    for (button = button_ys) translate([button_x, button[1], cap_z + height_of(button[0]) - cap_mark])
        rotate(90) linear_extrude(cap_mark + 0.02) sign(button[0]);
}

module caps_in_place() {
    for (button = button_ys) translate([button_x, button[1], cap_z]) cap(button[0], height_of(button[0]));
}

// ---------------------------------------------------------------------------- the parts, for pictures only

module solids(which) {
    for (solid = part_solids) if (solid[0] == which)
        translate(solid[1]) cube(solid[2]);
}

module bought_parts() {
    color([0.10, 0.45, 0.25]) solids("pico");
    color([0.75, 0.10, 0.12]) solids("reader");
    color([0.10, 0.12, 0.18]) solids("screen");
    color([0.45, 0.75, 0.95]) solids("lit");
    color([0.80, 0.62, 0.20]) solids("strip");
    color([0.12, 0.40, 0.22]) solids("board");
    color([0.15, 0.15, 0.15]) solids("switch");
    color([0.30, 0.30, 0.32]) solids("plug");
    if (case_battery) {
        color([0.70, 0.72, 0.75]) solids("pack");
        color([0.15, 0.25, 0.55]) solids("charger");
        color([0.12, 0.12, 0.12]) solids("rocker");
    }
}

module coloured_base() { color([0.93, 0.86, 0.70]) base(); }
module coloured_lid() { color([0.93, 0.86, 0.70]) lid(); }
module coloured_caps() {
    color([0.20, 0.30, 0.50]) caps_in_place();
    color([0.98, 0.98, 0.98]) signs_in_place();
}

module card() {
    color([0.97, 0.97, 1.0]) translate([card_centre_x - 31.5, card_centre_y - 44, case_inside_z + case_lid - card_depth + 0.1])
        rounded(63, 88, 0.8, 3);
}

module feet() {
    color([0.15, 0.15, 0.15]) feet_bare();
}

if (part == "base") translate([0, 0, case_floor]) base();
if (part == "lid") lid();
if (part == "caps") caps();
if (part == "coupons") { // made by coupons.py from base and lid
    import("coupon_button.stl");
    translate([85, 0, 0]) import("coupon_window.stl");
    translate([10, 60, 0]) import("coupon_reader.stl");
}
if (part == "assembly") {
    coloured_base(); coloured_caps(); bought_parts(); card(); feet();
    translate([0, 0, case_inside_z]) coloured_lid();
}
// ---------------------------------------------------------------------------- steps of the guide

function has(list, name) = len([for (entry = list) if (entry == name) entry]) > 0;
function colour_of(kind) =
    kind == "pico" ? [0.10, 0.45, 0.25] : kind == "reader" ? [0.75, 0.10, 0.12] :
    kind == "screen" ? [0.10, 0.12, 0.18] : kind == "lit" ? [0.45, 0.75, 0.95] :
    kind == "strip" ? [0.80, 0.62, 0.20] : kind == "board" ? [0.12, 0.40, 0.22] :
    kind == "pack" ? [0.55, 0.60, 0.70] : kind == "charger" ? [0.15, 0.25, 0.55] : [0.25, 0.25, 0.27];

module solid(entry, fresh) {
    color(fresh ? colour_of(entry[0]) : [0.72, 0.72, 0.74]) translate(entry[1]) cube(entry[2]);
}

// what is bought of one group; thin orange rods show where it goes
module group(name, fresh, up) {
    entries = [for (entry = part_solids) if (entry[3] == name) entry];
    translate([0, 0, up]) for (entry = entries) {
        solid(entry, fresh);
        if (entry[0] == "pico") usb_of(entry, fresh);
    }
    if (fresh && up > 0) for (entry = entries) if (entry[0] == name || entry[0] == "screen" || entry[0] == "rocker")
        for (corner = [[0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]])
            rod([entry[1][0] + corner[0] * entry[2][0], entry[1][1] + corner[1] * entry[2][1], entry[1][2]], up);
}

// the Pico's socket, on its component side
module usb_of(entry, fresh) {
    z = carrier == "strip" ? entry[1][2] + entry[2][2] : entry[1][2] - 2.7;
    color(fresh ? [0.80, 0.80, 0.82] : [0.62, 0.62, 0.64])
        translate([entry[1][0] + entry[2][0] - 5 + pico_usb, entry[1][1] + entry[2][1] / 2 - 4, z]) cube([5, 8, 2.7]);
}

module rod(at, up) { color([1.0, 0.45, 0.0]) translate(at) cylinder(d = 0.9, h = up, $fn = 12); }

module screw(at, d, long, up, fresh) {
    color(fresh ? [1.0, 0.45, 0.0] : [0.55, 0.55, 0.57]) translate([at[0], at[1], at[2] + up]) {
        translate([0, 0, -long]) cylinder(d = d, h = long);
        cylinder(d = 2 * d, h = 0.6 * d);
    }
    if (fresh && up > 0) rod([at[0], at[1], at[2] - long], up);
}

module pico_screws(fresh, up) {
    for (sx = [-1, 1], sy = [-1, 1])
        screw([pico_centre_x + sx * pico_hole_x / 2, pico_centre_y + sy * pico_hole_y / 2, pico_stand + pico_board_t], 2, 6, up, fresh);
}

module board_screws(fresh, up) {
    for (at = posts) screw([at[0], at[1], buttons_z + board_board_t], 3, 8, up, fresh);
}

module lid_screws(fresh, up) {
    for (x = [screws_inset, case_inside_x - screws_inset], y = [screws_inset, case_inside_y - screws_inset])
        screw([x, y, case_inside_z + case_lid], 3, 12, up, fresh);
}

module foam(fresh, up) {
    z = screen_z + screen_board_t + screen_glass_t;
    for (y = [screen_south_y, screen_north_y], side = [-1, 1])
        color(fresh ? [1.0, 0.45, 0.0] : [0.72, 0.72, 0.74])
            translate([screen_centre_x + side * (screen_glass_x / 2 - 1.2) - 1, y - screen_glass_y / 2, z + up]) cube([2, screen_glass_y, 1.5]);
}

module one(name, fresh, up) {
    if (name == "base") color([0.93, 0.86, 0.70]) base();
    else if (name == "lid") color(fresh ? [0.93, 0.86, 0.70] : [0.85, 0.82, 0.74]) translate([0, 0, case_inside_z + up]) lid();
    else if (name == "caps") translate([0, 0, up]) { if (fresh) coloured_caps(); else color([0.72, 0.72, 0.74]) caps_in_place(); }
    else if (name == "pico screws") pico_screws(fresh, up);
    else if (name == "board screws") board_screws(fresh, up);
    else if (name == "lid screws") lid_screws(fresh, up);
    else if (name == "foam") foam(fresh, up);
    else if (name == "feet") color(fresh ? [1.0, 0.45, 0.0] : [0.15, 0.15, 0.15]) translate([0, 0, -up]) feet_bare();
    else group(name, fresh, up);
}

module feet_bare() {
    for (x = [feet_inset, case_inside_x - feet_inset], y = [feet_inset, case_inside_y - feet_inset])
        translate([x, y, -case_floor - feet_height]) cylinder(d = feet_diameter, h = feet_height);
}

if (part == "step") {
    for (name = done) one(name, false, 0);
    for (name = new) one(name, true, lift);
}
// each with its own height above its place
if (part == "explode") for (i = [0:len(new) - 1]) translate([0, 0, i * lift]) one(new[i], true, 0);
// a Pico alone: pins up (hand-wired) or down (in sockets)
if (part == "pico") {
    color([0.10, 0.45, 0.25]) difference() {
        translate([-pico_board_x / 2, -pico_board_y / 2, 0]) cube([pico_board_x, pico_board_y, pico_board_t]);
        at_corners(pico_hole_x, pico_hole_y) translate([0, 0, -1]) cylinder(d = pico_hole, h = 3);
    }
    color([0.80, 0.80, 0.82]) translate([pico_board_x / 2 - 5 + pico_usb, -4, pico_board_t]) cube([5, 8, 2.7]);
    color([0.12, 0.12, 0.12]) translate([-3.5, -3.5, pico_board_t]) cube([7, 7, 0.9]);
    color([0.95, 0.95, 0.95]) translate([11.5, 3, pico_board_t]) cube([3, 3.5, 1.6]);
    turn = carrier == "strip" ? 0 : 180;
    translate([0, 0, carrier == "strip" ? pico_board_t : 0]) rotate([turn, 0, 0])
        for (side = [-1, 1], i = [0:19]) translate([(i - 9.5) * 2.54, side * 8.89, 0]) {
            color([1.0, 0.45, 0.0]) translate([-1.27, -1.27, 0]) cube([2.5, 2.54, 2.5]);
            color([0.85, 0.70, 0.20]) translate([-0.32, -0.32, 0]) cube([0.64, 0.64, 8.5]);
        }
}
if (part == "parts") { coloured_base(); bought_parts(); }
