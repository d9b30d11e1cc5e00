-- Written by `npm run tables` from what the migrations made, never by hand.

insert into property_types (id, name) values
  (1, 'Hotel'),
  (2, 'Serviced apartments'),
  (3, 'Hostel'),
  (4, 'Student accommodation'),
  (5, 'Build-to-rent'),
  (6, 'Holiday park'),
  (7, 'Conference venue'),
  (8, 'Hospital or care home'),
  (9, 'Retail or restaurant'),
  (10, 'Office or co-working'),
  (11, 'Education'),
  (12, 'Public space'),
  (13, 'Other');
