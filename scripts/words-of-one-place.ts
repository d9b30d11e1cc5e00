// Words of one place: sentences that stand in the catalogue, and names and arithmetic that only one folder may contain. Found line by line;
// each message says whom to ask instead.

/** The files whose sentences stand in the catalogue. */
const spoken = new RegExp(
  `^(?:${[
    'web/(?:limits|stays|words|resources/(?:guest-help|room-guests|stays))/',
    'web/resources/vouchers/(?!list)',
    'web/resources/voucher-batches/(?:made|one-voucher)\\.',
    'web/frame/(?:default-layout|header|language-switch|mobile-layout|theme-switch|user-menu)\\.',
    'web/kit/made/(?:copy-button|print|send-by-mail)\\.',
    'web/kit/form/(?:overtaken-notice|permitted)\\.',
    'web/kit/display/load-failed\\.',
    'web/ui/(?:dialog|facts|page|select|toast)\\.',
    'server/resources/(?:guest-help|room-guests|stays|vouchers)/',
    'server/stays/(?:acts|guests|no-shows|stay-record)\\.',
  ].join('|')})`,
)

/** Words of one place alone: whoever else needs what they say asks a function of that place. */
const apart: { of: RegExp; words: RegExp; instead: string }[] = [
  {
    of: spoken,
    // `'Check in now'`, `${name} is in`; on a screen also text between tags, and a line of it.
    words: /^(?! *(?:\/\/|\/?\*)).*['"`](?:[A-Z][\w’]*|\$\{[^}]+\}),? (?!where |and |as )[a-z][^'"`]*['"`]/,
    instead: 'what people read stands in the catalogue, in each language; say it by its key',
  },
  {
    of: new RegExp(`${spoken.source}.*tsx$`),
    words: /(?<![=?:|&])>\s*[A-Z][a-z]+[^<>{}=]*<\/|^\s+[A-Z][a-z]+(?: [a-z’]+)*[.,:]?$/,
    instead: 'what people read stands in the catalogue, in each language; say it by its key',
  },
  {
    of: new RegExp(`${spoken.source}.*tsx$`),
    words: / (?:label|title|placeholder|hint|aria-label)="[A-Z][a-z]/,
    instead: 'what people read stands in the catalogue, in each language; say it by its key',
  },
  {
    // A file that is imported has columns of the same names, and what a property's system says has fields of them.
    of: /^server\/(?!stays\/|imports\/|property-systems\/|db\/|api\/examples\.ts$)/,
    words: /\b(?:arrives_on|departs_on|checked_in_at)\b/,
    instead: 'who is in house, and until when, is asked of server/stays',
  },
  {
    of: /^server\/(?:imports|property-systems)\//,
    words: /\b[a-z]\.(?:arrives_on|departs_on|checked_in_at)\b/,
    instead: 'who is in house, and until when, is asked of server/stays',
  },
  {
    of: /^server\/(?!stays\/|db\/)/,
    words: /\b(?:insert into|update) (?:room_guests|stays)\b|\b(?:change|insert|insertMany)\('(?:room_guests|stays)'/,
    instead: 'guests and their days are written by server/stays',
  },
  {
    of: /^web\/(?:resources|stays|limits|frame)\//,
    words: /\breferences\.\w+\.names\b|\b(?:from|options)(?:=\{|: )(?:reference\.\w+|\w+\.names)\b/,
    instead:
      'what a reference may point at is said in contract/references.ts; give the select or the filter its target',
  },
  {
    of: /^web\/(?!kit\/display\/dates\.ts$)/,
    words: /\* day_ms\b/,
    instead:
      'calendar arithmetic is in contract/days.ts, and how many days ago something was in web/kit/display/dates.ts',
  },
  {
    of: /^web\/(?!kit\/display\/)/,
    words: /\.toLocale(?:Date|Time)?String\(|\bIntl\.NumberFormat\(/,
    instead: 'numbers and dates are written in the language of the app by web/kit/display, in numbers.ts and dates.ts',
  },
  {
    of: /^(?:contract|catalogue|portal|server|web)\//,
    words:
      /\.toLocale(?:Date|Time)?String\((?:\)|undefined|\[\])|\bIntl\.\w+Format\((?:\)|undefined|\[\])(?!\.resolvedOptions)/,
    instead: 'a number or a date is written in a language that is given, not in that of the machine',
  },
  {
    // A simulation shares no code with what it tries.
    of: /^(?!contract\/days\.ts$|server\/time\/|server\/db\/|.*\/simulation\.ts$)(?:contract|catalogue|portal|server|web)\//,
    words: new RegExp(
      [
        'Date\\.UTC\\b|\\.set(?:UTC)?(?:Date|Month|FullYear)\\(',
        '86_?400_?000|\\b24 \\* (?:3_?600_?000|3_?600 \\* 1_?000|60 \\* 60_?000|60 \\* 60 \\* 1_?000)\\b',
        'T(?:00|12):00(?::00)?Z|toISOString\\(\\)\\.(?:slice\\(0, 10\\)|split\\()',
        // Of a month or a year by the letters of its day.
        'slice\\(0, (?:4\\)\\) [-+]|7\\)\\}-01)',
        "localDay\\(.*'UTC'|\\blocal_day\\(now\\(\\)|interval '1 (?:month|year)'|\\bdate_trunc\\((?:case|'(?:day|week|year)')",
      ].join('|'),
    ),
    instead:
      'calendar arithmetic is in contract/days.ts, and which day it is somewhere is asked of server/time (in SQL, by app_now())',
  },
]

export function checkWords(file: string, source: string): string[] {
  return apart
    .filter(({ of }) => of.test(file))
    .flatMap(({ words, instead }) =>
      source.split('\n').flatMap((line, n) => {
        const [word] = words.exec(line) ?? []
        return word === undefined ? [] : [`${file}:${n + 1}  names ${word}: ${instead}`]
      }),
    )
}
