-- Written by `npm run tables` from what the migrations made, never by hand.

insert into mac_category_templates (id, name, blocks) values
  (1, 'Guest device', f),
  (2, 'Resident device', f),
  (3, 'Staff', f),
  (4, 'TV or streaming', f),
  (5, 'Games console', f),
  (6, 'Printer', f),
  (7, 'Phone', f),
  (8, 'Point of sale', f),
  (9, 'CCTV', f),
  (10, 'IoT', f),
  (11, 'Blocked', t);
