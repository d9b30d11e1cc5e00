-- Written by `npm run tables` from what the migrations made, never by hand.

insert into connectivity_types (id, name) values
  (1, 'Fibre'),
  (2, 'Leased line'),
  (3, 'VDSL'),
  (4, 'Cable'),
  (5, 'ADSL'),
  (6, 'Fixed wireless'),
  (7, '4G/5G'),
  (8, 'Satellite'),
  (9, 'Bonded'),
  (10, 'Other');
