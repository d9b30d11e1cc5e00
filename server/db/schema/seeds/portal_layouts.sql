-- Written by `npm run tables` from what the migrations made, never by hand.

insert into portal_layouts (id, name) values
  (1, 'Horizontal'),
  (2, 'Vertical'),
  (3, 'Layout with image');
