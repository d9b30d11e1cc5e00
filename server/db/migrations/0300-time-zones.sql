-- Time zones: whose day it is. The zones of each country, the zone of a property, and the two conversions between an instant
-- and a day, of which docs/decisions/065-whose-day.md says how they are meant.

-- The day that the clock shows in a zone at an instant.
create function local_day(instant timestamptz, zone text) returns date
language sql immutable parallel safe as $$ select (instant at time zone zone)::date $$;

-- The first instant at which the clock of a zone shows this day or a later one: 01:00 where midnight is left out, the first
-- of two midnights where the hour comes twice, the beginning of the next day for a day that a zone leaves out. It is midnight
-- by the offset from UTC before a change or by the one after it: the earlier that has reached the day.
create function day_begins(day date, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  midnight constant timestamptz := day::timestamp at time zone 'UTC';
  before constant timestamptz := midnight
    - ((midnight - interval '24 hours') at time zone zone - (midnight - interval '24 hours') at time zone 'UTC');
  after constant timestamptz := midnight
    - ((midnight + interval '24 hours') at time zone zone - (midnight + interval '24 hours') at time zone 'UTC');
begin
  return least(
    case when local_day(before, zone) >= day then before end,
    case when local_day(after, zone) >= day then after end);
end $$;

-- When the application says that it is: the time of the transaction, unless a test has put the clock ahead for it.
create function app_now() returns timestamptz
language sql stable parallel safe as $$
  select now() + coalesce(nullif(current_setting('app.clock_ahead', true), '')::interval, interval '0')
$$;

-- Fails on a name that the database does not know.
create function is_time_zone(zone text) returns boolean
language sql immutable parallel safe as $$ select 'epoch'::timestamptz at time zone zone is not null $$;

grant execute on function local_day(timestamptz, text), day_begins(date, text), app_now(), is_time_zone(text) to foyer_app;

-- time_zones: all zones in a country, of which time_zone is the one that most of its people live in. several_clocks: they do
-- not all show the same time, so that the country alone does not say what a property's clock shows.
alter table countries add column time_zones text[] not null default '{}',
  add column several_clocks boolean not null default false;
alter table countries alter column time_zones drop default, alter column several_clocks drop default;
update countries set time_zones = array[time_zone];
update countries as c set time_zones = z.time_zones::text[] from (values
  ('AQ', '{Antarctica/Casey,Antarctica/Davis,Antarctica/DumontDUrville,Antarctica/Mawson,
    Antarctica/McMurdo,Antarctica/Palmer,Antarctica/Rothera,Antarctica/Syowa,Antarctica/Troll,Antarctica/Vostok}'),
  ('AR', '{America/Argentina/Buenos_Aires,America/Argentina/Catamarca,America/Argentina/Cordoba,America/Argentina/Jujuy,
    America/Argentina/La_Rioja,America/Argentina/Mendoza,America/Argentina/Rio_Gallegos,America/Argentina/Salta,
    America/Argentina/San_Juan,America/Argentina/San_Luis,America/Argentina/Tucuman,America/Argentina/Ushuaia}'),
  ('AU', '{Antarctica/Macquarie,Australia/Adelaide,Australia/Brisbane,Australia/Broken_Hill,Australia/Darwin,Australia/Eucla,
    Australia/Hobart,Australia/Lindeman,Australia/Lord_Howe,Australia/Melbourne,Australia/Perth,Australia/Sydney}'),
  ('BR', '{America/Araguaina,America/Bahia,America/Belem,America/Boa_Vista,America/Campo_Grande,America/Cuiaba,
    America/Eirunepe,America/Fortaleza,America/Maceio,America/Manaus,America/Noronha,America/Porto_Velho,
    America/Recife,America/Rio_Branco,America/Santarem,America/Sao_Paulo}'),
  ('CA', '{America/Atikokan,America/Blanc-Sablon,America/Cambridge_Bay,America/Creston,America/Dawson,America/Dawson_Creek,
    America/Edmonton,America/Fort_Nelson,America/Glace_Bay,America/Goose_Bay,America/Halifax,America/Inuvik,
    America/Iqaluit,America/Moncton,America/Rankin_Inlet,America/Regina,America/Resolute,America/St_Johns,
    America/Swift_Current,America/Toronto,America/Vancouver,America/Whitehorse,America/Winnipeg}'),
  ('CD', '{Africa/Kinshasa,Africa/Lubumbashi}'),
  ('CL', '{America/Coyhaique,America/Punta_Arenas,America/Santiago,Pacific/Easter}'),
  ('CN', '{Asia/Shanghai,Asia/Urumqi}'),
  ('CY', '{Asia/Famagusta,Asia/Nicosia}'),
  ('DE', '{Europe/Berlin,Europe/Busingen}'),
  ('EC', '{America/Guayaquil,Pacific/Galapagos}'),
  ('ES', '{Africa/Ceuta,Atlantic/Canary,Europe/Madrid}'),
  ('FM', '{Pacific/Chuuk,Pacific/Kosrae,Pacific/Pohnpei}'),
  ('GL', '{America/Danmarkshavn,America/Nuuk,America/Scoresbysund,America/Thule}'),
  ('ID', '{Asia/Jakarta,Asia/Jayapura,Asia/Makassar,Asia/Pontianak}'),
  ('KI', '{Pacific/Kanton,Pacific/Kiritimati,Pacific/Tarawa}'),
  ('KZ', '{Asia/Almaty,Asia/Aqtau,Asia/Aqtobe,Asia/Atyrau,Asia/Oral,Asia/Qostanay,Asia/Qyzylorda}'),
  ('MH', '{Pacific/Kwajalein,Pacific/Majuro}'),
  ('MN', '{Asia/Hovd,Asia/Ulaanbaatar}'),
  ('MX', '{America/Bahia_Banderas,America/Cancun,America/Chihuahua,America/Ciudad_Juarez,America/Hermosillo,America/Matamoros,
    America/Mazatlan,America/Merida,America/Mexico_City,America/Monterrey,America/Ojinaga,America/Tijuana}'),
  ('MY', '{Asia/Kuala_Lumpur,Asia/Kuching}'),
  ('NZ', '{Pacific/Auckland,Pacific/Chatham}'),
  ('PF', '{Pacific/Gambier,Pacific/Marquesas,Pacific/Tahiti}'),
  ('PG', '{Pacific/Bougainville,Pacific/Port_Moresby}'),
  ('PS', '{Asia/Gaza,Asia/Hebron}'),
  ('PT', '{Atlantic/Azores,Atlantic/Madeira,Europe/Lisbon}'),
  ('RU', '{Asia/Anadyr,Asia/Barnaul,Asia/Chita,Asia/Irkutsk,Asia/Kamchatka,Asia/Khandyga,Asia/Krasnoyarsk,Asia/Magadan,
    Asia/Novokuznetsk,Asia/Novosibirsk,Asia/Omsk,Asia/Sakhalin,Asia/Srednekolymsk,Asia/Tomsk,Asia/Ust-Nera,
    Asia/Vladivostok,Asia/Yakutsk,Asia/Yekaterinburg,Europe/Astrakhan,Europe/Kaliningrad,Europe/Kirov,Europe/Moscow,
    Europe/Samara,Europe/Saratov,Europe/Ulyanovsk,Europe/Volgograd}'),
  ('UA', '{Europe/Kyiv,Europe/Simferopol}'),
  ('UM', '{Pacific/Midway,Pacific/Wake}'),
  ('US', '{America/Adak,America/Anchorage,America/Boise,America/Chicago,America/Denver,America/Detroit,
    America/Indiana/Indianapolis,America/Indiana/Knox,America/Indiana/Marengo,America/Indiana/Petersburg,
    America/Indiana/Tell_City,America/Indiana/Vevay,America/Indiana/Vincennes,America/Indiana/Winamac,America/Juneau,
    America/Kentucky/Louisville,America/Kentucky/Monticello,America/Los_Angeles,America/Menominee,America/Metlakatla,
    America/New_York,America/Nome,America/North_Dakota/Beulah,America/North_Dakota/Center,
    America/North_Dakota/New_Salem,America/Phoenix,America/Sitka,America/Yakutat,Pacific/Honolulu}'),
  ('UZ', '{Asia/Samarkand,Asia/Tashkent}')
) as z(code, time_zones) where c.code = z.code;
update countries set several_clocks = true where code in (
  'AQ', 'AU', 'BR', 'CA', 'CD', 'CL', 'CN', 'EC', 'ES', 'FM', 'GL', 'ID', 'KI', 'MN', 'MX', 'NZ', 'PF', 'PG', 'PT', 'RU',
  'UA', 'UM', 'US');

-- A property's zone is its own: given, else its country's, which is assumed where that country has several clocks.
alter table properties alter column time_zone drop default,
  add column time_zone_assumed boolean not null default false;
update properties as p set time_zone = coalesce(c.time_zone, 'UTC'), time_zone_assumed = coalesce(c.several_clocks, false)
from properties as t left join countries as c on c.id = t.country_id where t.id = p.id;
alter table properties alter column time_zone set default 'UTC',
  add constraint properties_time_zone_known check (is_time_zone(time_zone));
alter table customers add constraint customers_time_zone_known check (is_time_zone(time_zone));
