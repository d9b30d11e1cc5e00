-- Guests of trials, and what they would have been sent.
select make_trial_table(name::regclass)
  from unnest(array['guests', 'guest_devices', 'consent_records', 'one_time_codes', 'outbox_mails', 'outbox_texts']) as t (name);

-- A guest of a trial never stands in the way of a real one in the same room, or with the same address.
create function give_way(customer integer, property integer, room_guest integer, address text, number text) returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform see_trials(true);
  delete from guests t where t.trial_id is not null and t.customer_id = customer and (t.room_guest_id = room_guest
    or t.property_id = property and (lower(t.email) = lower(address) or t.mobile_number = number));
  perform see_trials(false);
end $$;
grant execute on function give_way(integer, integer, integer, text, text) to foyer_app;

create function make_way_for_guest() returns trigger language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  perform give_way(new.customer_id, new.property_id, new.room_guest_id, new.email, new.mobile_number);
  return new;
end $$;
create trigger guests_make_way before insert or update of confirmed_at, room_guest_id on guests for each row
  when (app_trial_id() is null and (new.room_guest_id is not null or new.confirmed_at is not null)) execute function make_way_for_guest();
