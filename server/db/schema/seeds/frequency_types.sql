-- Written by `npm run tables` from what the migrations made, never by hand.

insert into frequency_types (id, name) values
  (1, 'Once'),
  (2, 'Daily'),
  (3, 'Weekly'),
  (4, 'Fortnightly'),
  (5, 'Monthly'),
  (6, 'Quarterly'),
  (7, 'Yearly');
