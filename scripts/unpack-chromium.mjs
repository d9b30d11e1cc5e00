// Unpacks the packaged Chromium, its libraries and its fonts into TMPDIR.

import { inflate } from '@sparticuz/chromium'

for (const part of ['chromium', 'al2023.tar', 'fonts.tar', 'swiftshader.tar'])
  await inflate(`node_modules/@sparticuz/chromium/bin/${part}.br`)
