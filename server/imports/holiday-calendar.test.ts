// An operator's own calendar: each event is on the days and comes again at the times that a calendar program shows; and no rule takes
// for ever.
import { describe, expect, test } from 'vitest'
import { readTimes } from './holiday-calendar.ts'

const today = '2026-11-28'
const calendar = (events: string[][], zones: string[] = []) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...zones,
    ...events.flatMap((lines, index) => [
      'BEGIN:VEVENT',
      ...(lines[0]?.startsWith('UID') ? [] : [`UID:${index}@example.com`]),
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ].join('\r\n')
const read = (events: string[][], zone = 'Europe/London', zones: string[] = []) =>
  readTimes(calendar(events, zones), today, zone)
const timesOf = (...lines: string[]) => read([['SUMMARY:It', ...lines]]).times.map(({ starts_on }) => starts_on)
const day = (ymd: string) => `DTSTART;VALUE=DATE:${ymd}`

describe('the days of an event', () => {
  const days: [name: string, lines: string[], wanted: string][] = [
    ['a whole day', [day('20261225'), 'DTEND;VALUE=DATE:20261226'], '2026-12-25 2026-12-25'],
    [
      'midnight to midnight',
      ['DTSTART;TZID=Europe/London:20270503T000000', 'DTEND;TZID=Europe/London:20270504T000000'],
      '2027-05-03 2027-05-03',
    ],
    [
      'two days by the clock on the wall',
      ['DTSTART:20270601T000000', 'DTEND:20270603T000000'],
      '2027-06-01 2027-06-02',
    ],
    ['in UTC, of the place', ['DTSTART:20270829T230000Z', 'DTEND:20270830T230000Z'], '2027-08-30 2027-08-30'],
    [
      'an evening and the night',
      ['DTSTART;TZID=Europe/London:20271231T190000', 'DTEND;TZID=Europe/London:20280101T020000'],
      '2027-12-31 2028-01-01',
    ],
    [
      'another zone',
      ['DTSTART;TZID=America/New_York:20270503T200000', 'DTEND;TZID=America/New_York:20270503T220000'],
      '2027-05-04 2027-05-04',
    ],
    [
      'a zone behind the name of a program',
      ['DTSTART;TZID=/freeassociation.sourceforge.net/Asia/Tokyo:20270503T030000'],
      '2027-05-02 2027-05-02',
    ],
    ['a length instead of an end', [day('20270503'), 'DURATION:P3D'], '2027-05-03 2027-05-05'],
    ['neither', [day('20270503')], '2027-05-03 2027-05-03'],
  ]
  test.each(days)('%s', (_name, lines, wanted) => {
    const { times, problems } = read([['SUMMARY:It', ...lines]])
    expect([times.map(({ starts_on, ends_on }) => `${starts_on} ${ends_on}`), problems]).toEqual([[wanted], []])
  })

  test('a zone that only the file explains', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:W. Europe Standard Time',
      'BEGIN:STANDARD',
      'DTSTART:16010101T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010101T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ]
    const event = ['SUMMARY:It', 'DTSTART;TZID=W. Europe Standard Time:20270503T003000']
    expect(read([event], 'Europe/London', zone).times).toMatchObject([{ starts_on: '2027-05-02' }])
    expect(read([event], 'Europe/Berlin', zone).times).toMatchObject([{ starts_on: '2027-05-03' }])
  })
})

describe('an event that comes again', () => {
  test('every year, for three years from the present one or its first', () => {
    expect(timesOf(day('20000311'), 'RRULE:FREQ=YEARLY')).toEqual(['2026-03-11', '2027-03-11', '2028-03-11'])
    expect(timesOf(day('20990311'), 'RRULE:FREQ=YEARLY')).toEqual(['2099-03-11', '2100-03-11', '2101-03-11'])
    expect(timesOf(day('20240229'), 'RRULE:FREQ=YEARLY')).toEqual(['2028-02-29'])
  })
  test('on a day of the week', () => {
    expect(timesOf(day('20200504'), 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=1MO')).toEqual([
      '2026-05-04',
      '2027-05-03',
      '2028-05-01',
    ])
    expect(timesOf(day('20261127'), 'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3')).toEqual([
      '2026-11-27',
      '2026-12-25',
      '2027-01-29',
    ])
    expect(timesOf(day('20261201'), 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4')).toEqual([
      '2026-12-01',
      '2026-12-03',
      '2026-12-08',
      '2026-12-10',
    ])
  })
  test('until a day, which counts, in whatever zone it is said', () => {
    const weekly = 'RRULE:FREQ=WEEKLY;UNTIL='
    const wanted = ['2027-05-03', '2027-05-10']
    expect(timesOf(day('20270503'), `${weekly}20270510`)).toEqual(wanted)
    expect(timesOf(day('20270503'), `${weekly}20270510T000000Z`)).toEqual(wanted)
    expect(timesOf('DTSTART;TZID=Europe/London:20270503T090000', `${weekly}20270510`)).toEqual(wanted)
    expect(timesOf('DTSTART;TZID=Pacific/Auckland:20270504T090000', `${weekly}20270510T210000Z`)).toEqual(wanted)
    expect(timesOf('DTSTART;TZID=Pacific/Auckland:20270504T090000', `${weekly}20270510T205959Z`)).toEqual([
      '2027-05-03',
    ])
  })
  test('without the days that are left out, and with those that are added', () => {
    const rule = ['RRULE:FREQ=DAILY;COUNT=4', 'EXDATE;VALUE=DATE:20270504,20270506', 'RDATE;VALUE=DATE:20270601']
    expect(timesOf(day('20270503'), ...rule)).toEqual(['2027-05-03', '2027-05-05', '2027-06-01'])
    const timed = ['DTSTART;TZID=Europe/London:20270503T090000', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20270504T080000Z']
    expect(timesOf(...timed)).toEqual(['2027-05-03', '2027-05-05'])
  })
  test('at the hour of its own clock, across a change of clocks', () => {
    const { times } = read([
      [
        'SUMMARY:It',
        'DTSTART;TZID=Europe/London:20270327T000000',
        'DTEND;TZID=Europe/London:20270328T000000',
        'RRULE:FREQ=DAILY;COUNT=3',
      ],
    ])
    expect(times.map(({ starts_on, ends_on }) => [starts_on, ends_on])).toEqual(
      ['2027-03-27', '2027-03-28', '2027-03-29'].map((on) => [on, on]),
    )
  })
  test('with one of its times moved, one cancelled, and all from one on moved', () => {
    const series = (uid: string, rule = 'RRULE:FREQ=WEEKLY;COUNT=4') => [
      `UID:${uid}`,
      'SUMMARY:Fair',
      day('20270503'),
      rule,
    ]
    const change = (uid: string, ...lines: string[]) => [`UID:${uid}`, 'SUMMARY:Fair, moved', ...lines]
    const found = read([
      series('a'),
      change('a', 'RECURRENCE-ID;VALUE=DATE:20270510', day('20270511'), 'DTEND;VALUE=DATE:20270513'),
      change('a', 'RECURRENCE-ID;VALUE=DATE:20270517', day('20270517'), 'STATUS:CANCELLED'),
      series('b'),
      change('b', 'RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20270517', day('20270518')),
    ])
    expect(found.times.map(({ name, starts_on, ends_on }) => `${name} ${starts_on} ${ends_on}`)).toEqual([
      'Fair 2027-05-03 2027-05-03',
      'Fair, moved 2027-05-11 2027-05-12',
      'Fair 2027-05-24 2027-05-24',
      'Fair 2027-05-03 2027-05-03',
      'Fair 2027-05-10 2027-05-10',
      'Fair, moved 2027-05-18 2027-05-18',
      'Fair, moved 2027-05-25 2027-05-25',
    ])
    expect(found.problems).toEqual([])
  })
  test('or not, if it is cancelled', () => {
    expect(read([['SUMMARY:Off', day('20270503'), 'RRULE:FREQ=YEARLY', 'STATUS:CANCELLED']])).toEqual({
      times: [],
      problems: [],
    })
  })
  test('its rule is said in words', () => {
    const ruleOf = (rule: string) => read([['SUMMARY:It', day('20270503'), `RRULE:${rule}`]]).times[0]?.rule
    expect(
      [
        'FREQ=YEARLY',
        'FREQ=YEARLY;BYMONTH=5;BYDAY=1MO;COUNT=10',
        'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20270601',
        'FREQ=MONTHLY;BYMONTHDAY=3',
      ].map(ruleOf),
    ).toEqual([
      'Every year',
      'Every year on the first Monday in May, 10 times',
      'Every 2 weeks on Monday and Friday until 2027-06-01',
      'Every month on the days 3',
    ])
    expect(read([['SUMMARY:It', day('20270503')]]).times).toMatchObject([{ rule: null }])
  })
})

test('one that has ended is named, and one that cannot be read', () => {
  const { times, problems } = read([
    ['SUMMARY:Old', day('20100503'), 'RRULE:FREQ=YEARLY;UNTIL=20150503'],
    ['SUMMARY:None'],
    ['SUMMARY:Wrong', day('20270230')],
  ])
  expect(times).toEqual([])
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [1, '“Old” does not come again (every year until 2015-05-03).'],
    [2, 'This event has no date that can be read.'],
    [3, 'This event has no date that can be read.'],
  ])
})

test('no rule takes for ever: its first time is read, and it is named', () => {
  const rules = [
    'FREQ=SECONDLY;BYSECOND=59',
    'FREQ=HOURLY',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=WEEKLY;BYMONTH=13',
    'FREQ=DAILY;BYSETPOS=400',
    'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31',
    'FREQ=MONTHLY;BYDAY=6MO',
    'FREQ=YEARLY;BYYEARDAY=400',
    'FREQ=DAILY;INTERVAL=0',
    'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
    'FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=15;BYDAY=1MO',
  ]
  const began = performance.now()
  const { times, problems } = read(rules.map((rule) => ['SUMMARY:It', day('20270401'), `RRULE:${rule}`]))
  expect(performance.now() - began).toBeLessThan(10_000)
  const named = new Set(problems.map(({ line }) => line))
  // Some of them the library takes as if they were right, or knows that they never come.
  for (const [index, rule] of rules.entries())
    expect(named.has(index + 1) || times.some(({ starts_on }) => starts_on >= '2027'), rule).toBe(true)
  const many = read(Array.from({ length: 300 }, () => ['SUMMARY:It', day('00010101'), 'RRULE:FREQ=DAILY']))
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(many.times.length).toBeLessThanOrEqual(200)
  // Nor a clock that changes every second: the event is by the clock on the wall.
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:X',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'RRULE:FREQ=SECONDLY',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  expect(read([['SUMMARY:It', 'DTSTART;TZID=X:20270401T090000']], 'UTC', zone).times).toMatchObject([
    { starts_on: '2027-04-01' },
  ])
})

test('lines have ranges in the languages that lists have', () => {
  const wanted: [line: string, name: string, days: string][] = [
    ['May Day: 1-3 May 2027', 'May Day', '2027-05-01 2027-05-03'],
    ['Weihnachten 24.–26.12.2026', 'Weihnachten', '2026-12-24 2026-12-26'],
    ['29.12.–2.1.2027 Zwischen den Jahren', 'Zwischen den Jahren', '2026-12-29 2027-01-02'],
    ['29. Dezember – 2. Januar 2027, geschlossen', 'geschlossen', '2026-12-29 2027-01-02'],
    ['30 April to 2 May 2027', 'Holiday', '2027-04-30 2027-05-02'],
    ['Labour Day May 1-3, 2027', 'Labour Day', '2027-05-01 2027-05-03'],
    ['Dec 30 – Jan 2, 2027 New Year', 'New Year', '2026-12-30 2027-01-02'],
    ['Navidad: 24 al 26 de diciembre de 2026', 'Navidad', '2026-12-24 2026-12-26'],
    ['Noël 24 et 25 décembre 2026', 'Noël', '2026-12-24 2026-12-25'],
    ['年末 2026年12月29日～30日', '年末', '2026-12-29 2026-12-30'],
    ['Heiligabend 24./25.12.2026', 'Heiligabend', '2026-12-24 2026-12-25'],
    ['2nd–4th Jan 2027', 'Holiday', '2027-01-02 2027-01-04'],
    ['Loy Krathong 28/11/2569', 'Loy Krathong', '2026-11-28 2026-11-28'],
  ]
  const { times, problems } = readTimes(wanted.map(([line]) => line).join('\n'), today, 'UTC')
  expect(problems).toEqual([])
  expect(times.map(({ name, starts_on, ends_on }) => [name, `${starts_on} ${ends_on}`])).toEqual(
    wanted.map(([, name, days]) => [name, days]),
  )
})
