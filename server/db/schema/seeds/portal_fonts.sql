-- Written by `npm run tables` from what the migrations made, never by hand.

insert into portal_fonts (id, name) values
  (1, 'Inter'),
  (2, 'Lato'),
  (3, 'Open Sans'),
  (4, 'Karla'),
  (5, 'Montserrat'),
  (6, 'Roboto'),
  (7, 'PT Serif');
