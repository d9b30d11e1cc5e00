-- Listed holidays: which public list a holiday was taken from, so that what a later release of that list leaves out can be shown.

-- listed_country: null where it is the property's own. listed_region: null for the whole country.
alter table property_holidays
  add column listed_country text,
  add column listed_region text,
  add check (listed_region is null or listed_country is not null);
