-- Written by `npm run tables` from what the migrations made, never by hand.

insert into account_types (id, name) values
  (1, 'Regular'),
  (2, 'Conference');
