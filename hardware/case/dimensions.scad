// Written by `make hardware` from dimensions.toml. Change that file, not this one.
case_inside_x = 146;
case_inside_y = 109;
case_inside_z = 36;
case_wall = 2.4;
case_floor = 2.4;
case_radius = 5;
case_lid = 3.2;
case_battery = true;
screws_post = 8;
screws_pilot = 2.7;
screws_pilot_depth = 14;
screws_hole = 3.4;
screws_head = 6.6;
screws_inset = 4;
feet_diameter = 12;
feet_height = 5;
feet_inset = 9;
card_sleeve_x = 66;
card_sleeve_y = 94;
card_play = 1;
card_depth = 2;
card_notch = 24;
card_centre_x = 43;
card_centre_y = 54.5;
reader_board_x = 43;
reader_board_y = 41;
reader_board_t = 1.6;
reader_below = 3.5;
reader_gap = 1.5;
reader_centre_x = 43;
reader_centre_y = 54.5;
screen_board_x = 35.4;
screen_board_y = 33.5;
screen_board_t = 1.2;
screen_glass_x = 34.5;
screen_glass_y = 23;
screen_glass_t = 1.6;
screen_lit_x = 29.42;
screen_lit_y = 14.7;
screen_margin = 2;
screen_edge = 0.8;
screen_gap = 0.5;
screen_centre_x = 100;
screen_south_y = 25;
screen_north_y = 84;
strip_board_x = 20;
strip_board_y = 80;
strip_board_t = 1.6;
strip_pitch = 2.54;
strip_rows = 7;
strip_columns = 28;
strip_centre_x = 132;
strip_centre_y = 60.5;
strip_switch_row = 2.5;
strip_plug_row = 6;
strip_plug_pins = 19;
strip_ok = 2;
strip_down = 8;
strip_up = 14;
strip_buzzer = 20;
strip_jury = 26;
switch_body = 12;
switch_body_z = 4;
switch_height = 7.3;
switch_plunger = 3.8;
switch_travel = 0.3;
cap_diameter = 11.6;
cap_hole = 12.4;
cap_flange = 14.4;
cap_flange_t = 1.4;
cap_play_z = 0.3;
cap_socket = 4;
cap_socket_depth = 2;
cap_rise = 2;
cap_jury_sink = 1.2;
cap_mark = 0.8;
buzzer_diameter = 12.2;
buzzer_height = 7;
buzzer_grille = 2.4;
pico_board_x = 51;
pico_board_y = 21;
pico_board_t = 1;
pico_stand = 3.5;
pico_hole_x = 47;
pico_hole_y = 11.4;
pico_pilot = 1.7;
pico_pilot_depth = 5;
pico_post = 5.6;
pico_usb = 1.3;
pico_usb_z = 1.3;
pico_wall_gap = 0.4;
pico_centre_y = 85.2;
plug_height = 16.5;
plug_bend = 5;
plug_slot_x = 12.5;
plug_slot_z = 9;
plug_shell_x = 11;
plug_shell_z = 7.5;
charger_board_x = 23;
charger_board_y = 37;
charger_board_t = 1.6;
charger_stand = 4;
charger_above = 7;
charger_usb_z = 1.4;
charger_wall_gap = 0.4;
charger_centre_x = 99.5;
pack_size_x = 36;
pack_size_y = 60;
pack_size_z = 7;
pack_tape = 0.5;
pack_centre_x = 43;
pack_centre_y = 54.5;
pack_fence = 5;
rocker_slot_y = 13.4;
rocker_slot_z = 8.8;
rocker_body_y = 12.8;
rocker_body_z = 8.2;
rocker_depth = 16;
rocker_centre_y = 92;
rocker_centre_z = 18;
seat_overlap = 3;
seat_rim = 2.6;
seat_fit = 0.4;
limits_clearance = 0.3;
limits_part_gap = 1;
limits_antenna_to_screen = 10;
limits_antenna_to_metal = 25;
limits_antenna_to_charger = 20;
limits_antenna_to_screw = 25;
limits_antenna_to_card = 5;
limits_card_to_table = 10;
limits_antenna_to_table = 20;
limits_thinnest = 0.8;
limits_bridge = 15;
limits_bed_x = 180;
limits_bed_y = 180;
limits_eye_distance = 400;
limits_eye_height = 350;
outer_x = 150.8;
outer_y = 113.8;
outer_z = 41.6;
pocket_x = 68;
pocket_y = 96;
card_z = 37.2;
reader_z = 32.9;
screen_z = 32.7;
cap_z = 34.3;
cap_height = 6.9;
jury_height = 3.7;
strip_z = 27.4;
strip_first_y = 26.21;
button_x = 130.73;
plug_x = 139.62;
pico_centre_x = 120.1;
charger_centre_y = 18.9;
part_solids = [
    ["pico", [94.6, 74.7, 3.5], [51, 21, 1]],
    ["plug", [95.1, 75.1, 4.5], [50, 2.6, 21.5]],
    ["plug", [95.1, 92.7, 4.5], [50, 2.6, 21.5]],
    ["neck", [146.5, 79.7, 2.05], [8, 11, 7.5]],
    ["reader", [21.5, 34, 32.9], [43, 41, 1.6]],
    ["plug", [25.5, 38, 29.4], [35, 33, 3.5]],
    ["plug", [37.9, 34.7, 16.4], [10.2, 2.6, 16.5]],
    ["plug", [37.9, 71.7, 16.4], [10.2, 2.6, 16.5]],
    ["screen", [82.3, 8.25, 32.7], [35.4, 33.5, 1.2]],
    ["screen", [82.75, 13.5, 33.9], [34.5, 23, 1.6]],
    ["lit", [85.29, 17.65, 35.5], [29.42, 14.7, 0.05]],
    ["plug", [94.9, 38.45, 16.2], [10.2, 2.6, 16.5]],
    ["screen", [82.3, 67.25, 32.7], [35.4, 33.5, 1.2]],
    ["screen", [82.75, 72.5, 33.9], [34.5, 23, 1.6]],
    ["lit", [85.29, 76.65, 35.5], [29.42, 14.7, 0.05]],
    ["plug", [94.9, 67.95, 16.2], [10.2, 2.6, 16.5]],
    ["strip", [122, 20.5, 27.4], [20, 80, 1.6]],
    ["plug", [138.32, 24.94, 10.9], [2.6, 48.26, 16.5]],
    ["switch", [124.73, 25.29, 29], [12, 12, 4]],
    ["switch", [128.83, 29.39, 33], [3.8, 3.8, 3.3]],
    ["switch", [124.73, 40.53, 29], [12, 12, 4]],
    ["switch", [128.83, 44.63, 33], [3.8, 3.8, 3.3]],
    ["switch", [124.73, 55.77, 29], [12, 12, 4]],
    ["switch", [128.83, 59.87, 33], [3.8, 3.8, 3.3]],
    ["switch", [124.73, 86.25, 29], [12, 12, 4]],
    ["switch", [128.83, 90.35, 33], [3.8, 3.8, 3.3]],
    ["switch", [124.63, 70.91, 29], [12.2, 12.2, 7]],
    ["charger", [88, 0.4, 4], [23, 37, 8.6]],
    ["neck", [94, -8.5, 3.25], [11, 8, 7.5]],
    ["pack", [25, 24.5, 0.5], [36, 60, 7]],
    ["rocker", [0.5, 85.6, 13.9], [16, 12.8, 8.2]],
    ["neck", [-8, 85.6, 13.9], [8, 12.8, 8.2]],
];
