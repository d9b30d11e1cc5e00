-- Guesses: wrong tries are counted at each sign-in, of the device and of the property. What was right is passed over: on a
-- busy evening a property has thousands of those in the minute that is looked at, and next to no refusals.
create index radius_authorisations_refused_at_property on radius_authorisations (customer_id, property_id, created_at)
  where not accepted;
create index radius_authorisations_refused_device on radius_authorisations (customer_id, mac_address, created_at)
  where not accepted;
