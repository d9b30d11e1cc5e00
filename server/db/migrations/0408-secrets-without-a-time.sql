-- When a secret was changed stands in the activity log. Nothing has read these columns, and one of both tables never wrote its own.
alter table gateway_secrets drop column changed_at;
alter table property_interface_secrets drop column changed_at;
