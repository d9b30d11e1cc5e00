-- Written by `npm run tables` from what the migrations made, never by hand.

insert into portal_types (id, name) values
  (1, 'Standard'),
  (2, 'Custom (zip)'),
  (3, 'External URL');
