/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * page.css and page.js, as user/CMakeLists.txt finds them, and what the page's policy calls each:
 * "sha256-", then the digest in base 64.
 */
#ifndef FORKTAX_FORMAT_HTML_PARTS_H
#define FORKTAX_FORMAT_HTML_PARTS_H

extern const char page_style[], page_style_hash[];
extern const char page_script[], page_script_hash[];

#endif
