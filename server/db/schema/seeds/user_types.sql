-- Written by `npm run tables` from what the migrations made, never by hand.

insert into user_types (id, name, role) values
  (1, 'Viewer', 'viewer'),
  (2, 'Editor', 'editor'),
  (3, 'Front desk (viewer)', 'front_desk');
