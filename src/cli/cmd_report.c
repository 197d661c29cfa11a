/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* `sumac report`: measurements and traces as a page to look at. */
#include "commands.h"
#include "files.h"
#include "report_page.h"

static int write_page(const options *given, const measured *all)
{
    result_file page = RESULT_FILE_CLOSED;
    int status = result_file_open(&page, given->html);
    if (status == STATUS_DONE) {
        status = result_file_begin(&page);
    }
    if (status == STATUS_DONE) {
        status = write_report_page(page.stream, all);
        result_file_note_error(&page);
    }
    if (status == STATUS_DONE) {
        status = result_file_commit(&page);
    }
    result_file_discard(&page);
    return status;
}

static int run_report(const options *given)
{
    measured all;
    int status = measured_read(&all, given->operands, (size_t)given->operand_count);
    if (status == STATUS_DONE) {
        status = write_page(given, &all);
    }
    if (status == STATUS_DONE) {
        print_text(given->html);
        print(": files: %zu, rows: %zu\n", all.file_count, json_array_size(all.rows));
    }
    measured_free(&all);
    return status;
}

static const option_id takes[] = {OPTION_HTML, OPTION_END};
static const option_id needs[] = {OPTION_HTML, OPTION_END};

const command command_report = {
    .name = "report",
    .summary = "Make a page of charts from measurements and traces",
    .takes = takes,
    .needs = needs,
    .operands = "FILE...",
    .operands_minimum = 1,
    .operands_maximum = 1 << 10,
    .operands_read = 1 << 10,
    .notes = "A file is what `sumac bench --json` or `sumac compare --json` wrote, a trace (--trace), or "
             "figures of\n"
             "another engine: {\"engine\": NAME, \"rows\": [{\"curve\": NAME, \"n\": N, \"min_ms\": MS}]}. "
             "The page is one\n"
             "file, needs no network, runs nothing, and prints.\n",
    .run = run_report,
};
