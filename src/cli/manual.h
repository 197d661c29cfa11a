/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Manual pages, for man(1), of what commands.h's tables say: `sumac help --man`. */
#ifndef SUMAC_CLI_MANUAL_H
#define SUMAC_CLI_MANUAL_H

/* Print the program's page, or the page of the commands whose first word this is, as "kzg". Reports a word
 * that is no command's and returns an exit status. */
int print_manual(const char *word);

#endif
