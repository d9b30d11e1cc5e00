// Thin page: what an operator uploads to a box that shows a page of its own and cannot send guests elsewhere. All that it does is to send
// the guest's browser on to the portal, with what the box says of the device; and back to the box, where that takes a form.

/** A value in a script of a page. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)

interface Page {
  /** Of the page before the script. */
  body: string
  /** Plain old JavaScript: phones open such pages in windows of old browsers. It has `portal`, an address, and `box`, a name. */
  script: string[]
}

export const thinPage = (portal: string, box: string, { body, script }: Page) =>
  [
    '<!doctype html>',
    '<html>',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Guest Wi-Fi</title>',
    '</head>',
    '<body>',
    body,
    '<noscript>Please turn JavaScript on, and open this page again.</noscript>',
    '<script>',
    `var portal = ${inScript(portal)}`,
    `var box = ${inScript(box)}`,
    'function address(fields) {',
    '  return portal + "?" + Object.keys(fields).map(function (name) {',
    '    return name + "=" + encodeURIComponent(fields[name] || "")',
    '  }).join("&")',
    '}',
    'function given(name) {',
    String.raw`  var found = new RegExp("[?&]" + name + "=([^&]*)").exec(location.search)`,
    String.raw`  return found ? decodeURIComponent(found[1].replace(/\+/g, " ")) : ""`,
    '}',
    ...script,
    '</script>',
    '</body>',
    '</html>',
  ].join('\n')
