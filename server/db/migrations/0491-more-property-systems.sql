-- More property systems: registered, so that an interface can say what a property has.
insert into property_interface_types (id, name) values
  (7, 'Cloudbeds'),
  (8, 'OPERA Cloud');
