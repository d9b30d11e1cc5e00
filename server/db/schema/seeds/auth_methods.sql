-- Written by `npm run tables` from what the migrations made, never by hand.

insert into auth_methods (id, name) values
  (1, 'Click-through'),
  (2, 'Voucher'),
  (3, 'Username and password'),
  (4, 'Room number and last name'),
  (5, 'E-mail'),
  (6, 'SMS code'),
  (7, 'Conference code'),
  (8, 'Device (MAC)');
