-- The language that somebody has chosen for the app, whichever of their users they act as; without one it is the browser's.
alter table logins add column language text;
