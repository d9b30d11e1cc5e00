-- A provider may refuse to take somebody out who withdrew. It is not asked for ever: only anew, once their consent or the connection has
-- changed.

alter table marketing_members add column refused_at timestamptz;
comment on column marketing_members.refused_at is
  'When the provider refused to take out somebody who withdrew; it is asked again once their consent or the connection has changed.';
