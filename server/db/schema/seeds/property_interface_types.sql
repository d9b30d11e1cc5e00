-- Written by `npm run tables` from what the migrations made, never by hand.

insert into property_interface_types (id, name) values
  (1, 'Oracle FIAS (OPERA, Suite 8, protel)'),
  (2, 'MRI'),
  (3, 'Mews'),
  (4, 'Apaleo'),
  (5, 'Generic webhook'),
  (6, 'File drop'),
  (7, 'Cloudbeds'),
  (8, 'OPERA Cloud');
