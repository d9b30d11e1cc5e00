-- Takes out of the log who was online in a session, and to whom a message was.
-- table: activity
update activity set object_name = object_id::text where customer_id = $1 and id > $2 and id <= $3
  and (object_type = 'radius_sessions' and object_name <> object_id::text
    or object_type in ('undelivered', 'due_work') and object_name ~ '@|^(To )?\+|^[0-9a-f:]{17} at ');
