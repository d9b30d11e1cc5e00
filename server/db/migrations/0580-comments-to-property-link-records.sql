-- What the tables from outage_notices to property_link_records are, for whoever looks at them with psql.

comment on table outage_notices is 'Who was told of which outage.';
comment on table outages is 'Times in which guests of a property could not get online. One that comes back within half an hour is the same.';
comment on column outages.calm_since is 'When guests could get online again; half an hour later it is over.';
comment on table outbox_mails is 'Mails, written in the transaction of what causes them and sent as due work.';
comment on table outbox_texts is 'Text messages, written in the transaction of what causes them and sent as due work.';
comment on table packages is 'What a guest gets: data, speed, time, devices. 0 means no limit.';
comment on table password_resets is 'Links by which people choose a new password: good once, for 30 minutes.';
comment on table portal_files is 'Pages and pictures of custom portals, one row for each file of their zip.';
comment on table portal_fonts is 'Look-up. Ids are fixed.';
comment on table portal_footers is 'The picture and link below every portal of a customer: one at most.';
comment on table portal_layouts is 'Look-up. Ids are fixed.';
comment on table portal_types is 'Look-up: standard, custom, external. Ids are fixed.';
comment on table portal_versions is 'Former designs of portals, as they were saved.';
comment on table portals is 'Pages that guests see before they go online.';
comment on column portals.public_id is 'The part of the guest''s address that nobody guesses.';
comment on column portals.slug is 'The customer''s own short name.';
comment on table properties is 'Buildings whose guests get Wi-Fi.';
comment on table property_holidays is 'Days on which a property bills its holiday percentage.';
comment on table property_hours is 'How many guests were online at a property in each hour, at most, and how many tried to sign in.';
comment on table property_interface_secrets is 'Passwords of property interfaces, sealed.';
comment on table property_interface_setting_secrets is 'Secret settings of property interfaces, sealed, by the keys of the parameters of their kind.';
comment on table property_interface_types is 'Look-up: systems of properties. Ids are fixed; a new one goes at the end.';
comment on table property_interfaces is 'Links to properties'' own systems, of a property, a group, a package or the customer.';
comment on table property_link_records is 'The last things that a system said, in words.';
