-- Written by `npm run tables` from what the migrations made, never by hand.

insert into gateway_types (id, name) values
  (1, 'MikroTik RouterOS'),
  (2, 'CoovaChilli'),
  (3, 'openNDS'),
  (4, 'UniFi'),
  (5, 'Omada'),
  (6, 'Ruckus'),
  (7, 'Aruba'),
  (8, 'Cisco Meraki'),
  (9, 'Cambium'),
  (10, 'Nomadix'),
  (11, 'pfSense'),
  (12, 'OPNsense'),
  (13, 'Generic RADIUS (WISPr)'),
  (1000, 'Trial');
