-- Written by `npm run tables` from what the migrations made, never by hand.

create table rate_limits (
  key text not null,
  hits integer not null default 0,
  expires_at timestamp with time zone not null,
  constraint rate_limits_pkey PRIMARY KEY (key)
);

comment on table rate_limits is 'Failures counted against addresses, logins and others, shared by all nodes.';
comment on column rate_limits.key is 'The bucket: what is counted, and of whom.';
comment on column rate_limits.expires_at is 'When counting begins anew.';

CREATE INDEX rate_limits_expires_at_idx ON public.rate_limits USING btree (expires_at);
