// Hostile values: one of each kind that has broken other programs, and what no answer may ever contain.

const long = (length: number) => 'ä'.repeat(length)
const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)])

export const strings = [
  '', ' ', '\t', '\0', 'a\0b', '\u0001', '\u007f', 'a\r\nBcc: x@example.com', '\\', '\\\\', '%', '_', '%%%', '"', "'", "''", '`',
  "' or 1=1 --", "'; drop table properties; --", '$1', '$$', '{{7*7}}', '${7*7}', '<script>alert(1)</script>', 'javascript:alert(1)',
  '../../etc/passwd', '..\\..\\x', '%00', '%2e%2e%2f', '\u202Etxt.exe', '\uFEFFx', '\u200b',
  'İı', 'ß', 'ﬁ', '😀', '😀😀', '\ud800', '\udc00x', 'e\u0301', 'ʹ',
  '𝒳'.repeat(255), long(255), long(256), long(5000), 'a'.repeat(20_000), 'null', 'undefined', 'NaN', 'true', '0', '-1', '1e400',
  '__proto__', 'constructor', 'toString', '[object Object]', '=cmd|x', '2147483648', '9007199254740993',
  '2026-02-30', '0000-01-01', '9999-12-31', '-271821-04-20',
  '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '0001-01-01T00:00:00+15:00',
  '9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999999999Z',
  '2026-01-01T00:00:00+15:59', '2026-01-01T00:00:00-24:00', 'infinity',
  'a@b', '"a b"@example.com', 'a@example.com,b@example.com', `${'a'.repeat(250)}@example.com`,
  'WyIxIiwxXQ', 'WyJpbmZpbml0eSIsMV0', 'WyIyMDI2IiwtMV0', 'WyIyMDI2LTAxLTAxIiw5MDA3MTk5MjU0NzQwOTkxXQ', 'W251bGwsbnVsbF0', 'e30', '!!!!',
] // prettier-ignore

export const others: unknown[] = [
  null, true, false, 0, -0, 1, -1, 0.5, 1e-7, 1e21, 2_147_483_647, 2_147_483_648, -2_147_483_649,
  Number.MAX_SAFE_INTEGER, Number('9007199254740993'), 1.7976931348623157e308,
  9_999_999_999, 9_999_999_999.999, 1_000_000, 99.999999,
  [], [null], [[]], [1, 'x', {}], ['x'], [1, 1], Array.from({ length: 6000 }, (_, index) => index + 1), deep(200),
  {}, { id: 1 }, { length: 1 }, { $ne: null }, { toString: 'x' },
  JSON.parse('{"__proto__":{"admin":true}}'), JSON.parse('{"constructor":{"prototype":{"admin":true}}}'),
] // prettier-ignore

/** Keys that no caller may set, with harmful values. */
export const forbidden = {
  id: 1, customer_id: 1, login_id: 1, group_id_: 1,
  created_at: '2001-01-01T00:00:00Z', deleted_at: '2001-01-01T00:00:00Z', logged_in_at: '2001-01-01T00:00:00Z',
  status: 'draft', search: 'x', time_zone: 'Asia/Tokyo', currency: 'JPY', number_of_properties: 99,
  role: 'editor', permissions: ['full'], password_hash: 'x', token_hash: 'x',
  is_custom: true, public_id: 'x', slug: 'x', volume_type: 'MB', ['constructor']: { prototype: { admin: true } },
} // prettier-ignore

/** Internal details: SQL, its error texts, stack traces, files. */
export const internal = new RegExp(
  [
    /\b(syntax error|select \*|insert into|duplicate key|violates|pg_|invalid input syntax|out of range for type)\b/,
    /\b(column ".*" of|relation ".*"|ECONNREFUSED)\b/,
    /\bat \S+ \(|node_modules|\.ts:\d|Error:/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
)
