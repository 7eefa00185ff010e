// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A watch from its sample on: the textfile, the screens of the live view, its keys. What they must be stands in
 * tests/golden/watch; with FORKTAX_UPDATE=1 this writes it: read the difference.
 */
#include "unit.h"

#include <locale.h>
#include <math.h>

#include "base/text.h"
#include "format/full_screen.h"
#include "model/watch/watch_words.h"
#include "report/watch/watch_frame.h"
#include "report/watch/watch_textfile.h"
#include "saved/saved.h"
#include "saved/watch_json.h"

static struct watch_sample *load(const char *name)
{
	char *path = text__of("%s/watch/%s.json", GOLDEN, name), *reason = NULL;
	struct saved saved;

	if (saved__load(path, &saved, &reason) < 0)
		fail_msg("%s: %s", path, reason);
	free(path);
	assert_int_equal(saved.family, SAVED_WATCH);
	return saved.watch_sample;
}

static void assert_golden(const char *name, const char *text)
{
	char *path = text__of("%s/watch/%s", GOLDEN, name), *expected;

	if (getenv("FORKTAX_UPDATE")) {
		FILE *file = fopen(path, "w");

		fputs(text, file);
		fclose(file);
	}
	expected = slurp(path);
	assert_string_equal(text, expected);
	free(expected);
	free(path);
}

static void check_textfile(const char *sample_name, const char *name)
{
	struct watch_sample *sample = load(sample_name);
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	watch_textfile__print(sample, "1.2.3", "6.1.0", stream);
	fclose(stream);
	assert_golden(name, text);
	free(text);
	watch_sample__free(sample);
}

static void test_textfile(void **state)
{
	check_textfile("classes", "classes.prom");
	check_textfile("totals", "totals.prom");
	check_textfile("forks", "forks.prom");
}

/* A line is what was read, and a copy is what was copied. */
static void test_line_and_copy(void **state)
{
	struct watch_sample *sample = load("classes"), *copy = watch_sample__copy(sample);
	char *path = text__of("%s/watch/classes.json", GOLDEN), *text = slurp(path), *line = watch_json__line(copy);

	assert_null(watch_sample__copy(NULL));
	watch_sample__free(sample); /* the copy holds nothing of it */
	assert_int_equal(strlen(line) + 1, strlen(text));
	assert_memory_equal(line, text, strlen(line));
	free(line);
	free(text);
	free(path);
	watch_sample__free(copy);
}

/* Two samples, what the reader has chosen, and a terminal. */
struct scene {
	struct watch_sample *before, *now;
	struct watch_state state;
	struct watch_moment moment;
};

static struct scene scene_of(const char *before, const char *now)
{
	struct scene scene = { .before = before ? load(before) : NULL, .now = load(now) };

	scene.moment = (struct watch_moment){ .before = scene.before, .now = scene.now };
	return scene;
}

static void sort(struct scene *scene)
{
	watch_rows__free(&scene->moment.rows);
	scene->moment.rows = watch_rows__of(scene->before, scene->now, scene->state.sort, scene->state.is_reversed);
}

static void release(struct scene *scene)
{
	watch_rows__free(&scene->moment.rows);
	watch_state__release(&scene->state);
	watch_sample__free(scene->before);
	watch_sample__free(scene->now);
}

/* Presses keys, each on the rows that the one before has left. */
static void press(struct scene *scene, const char *keys)
{
	for (; *keys; keys++) {
		sort(scene);
		assert_true(watch_state__key(&scene->state, *keys, &scene->moment.rows));
	}
	sort(scene);
}

/* The lines as text, of which none is too long and none too many. */
static char *drawn(struct scene *scene, unsigned int width, unsigned int height, bool utf8)
{
	const struct watch_size size = { width, height, utf8 };
	struct screen_lines lines;
	char *text;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	sort(scene);
	lines = watch_frame__of(&scene->moment, &scene->state, &size);
	assert_true(lines.count <= height);
	for (size_t i = 0; i < lines.count; i++) {
		assert_true(mbstowcs(NULL, lines.lines[i].text, 0) <= width);
		assert_null(strpbrk(lines.lines[i].text, "\n\033"));
		fprintf(stream, "%s|%s\n", lines.lines[i].text, lines.lines[i].is_marked ? " marked" : "");
	}
	fclose(stream);
	screen_lines__free(&lines);
	return text;
}

static void check_frame(const char *before, const char *now, const char *keys, unsigned int width, unsigned int height,
			const char *name)
{
	struct scene scene = scene_of(before, now);
	char *text;

	press(&scene, keys);
	text = drawn(&scene, width, height, true);
	assert_golden(name, text);
	free(text);
	release(&scene);
}

static void test_frames(void **state)
{
	check_frame("classes", "classes-later", "", 80, 24, "units-80x24.txt");
	check_frame("classes", "classes-later", "", 60, 10, "units-60x10.txt");
	check_frame("classes", "classes-later", "cr", 200, 24, "units-200x24.txt");
	check_frame(NULL, "classes", "", 80, 24, "first-80x24.txt");
	check_frame("forks", "forks-later", "", 80, 24, "forks-80x24.txt");
	check_frame("totals", "classes-later", "", 80, 24, "other-level-80x24.txt");
	check_frame("classes", "classes-later", "d", 80, 24, "unit-80x24.txt");
	check_frame("classes", "classes-later", "d", 60, 10, "unit-60x10.txt");
	check_frame("classes", "classes-later", "h", 80, 24, "help-80x24.txt");
	check_frame("classes", "classes-later", "p", 120, 12, "paused-120x12.txt");
}

/* No size makes it write beyond the terminal, or read where nothing is. */
static void test_every_size(void **state)
{
	static const char *const keys[] = { "", "d", "h", "u", "mr" };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct scene scene = scene_of("classes", "classes-later");

		press(&scene, keys[i]);
		for (unsigned int width = 40; width <= 220; width += 5)
			for (unsigned int height = 1; height <= 60; height += 3) {
				free(drawn(&scene, width, height, true));
				free(drawn(&scene, width, height, false));
			}
		release(&scene);
	}
}

static const char *first(struct scene *scene)
{
	sort(scene);
	return scene->moment.rows.rows[0].unit->name;
}

static void test_sorting(void **state)
{
	struct scene scene = scene_of("classes", "classes-later");

	press(&scene, "");
	assert_string_equal(first(&scene), "nginx.service");
	press(&scene, "e");
	assert_string_equal(first(&scene), "cron.service");
	press(&scene, "r");
	assert_string_not_equal(first(&scene), "cron.service");
	press(&scene, "r>");
	assert_int_equal(scene.state.sort, WATCH_COPY_RATE);
	press(&scene, "<<");
	assert_int_equal(scene.state.sort, WATCH_FORK_RATE);
	press(&scene, "<");
	assert_int_equal(scene.state.sort, WATCH_NAME);
	assert_string_equal(first(&scene), "café-日本.service");
	/* What is not known is last, whichever the order. */
	press(&scene, "m");
	assert_string_equal(first(&scene), "nginx.service");
	press(&scene, "r");
	assert_string_equal(first(&scene), "nginx.service");
	release(&scene);
}

/* A column that the level does not count cannot be sorted by. */
static void test_level_without_column(void **state)
{
	struct scene scene = scene_of("forks", "forks-later");

	press(&scene, "c");
	assert_int_equal(scene.state.sort, WATCH_FORK_RATE);
	press(&scene, ">>");
	assert_int_equal(scene.state.sort, WATCH_PROCESSES);
	release(&scene);
}

/* The selection stays with its unit. */
static void test_selection(void **state)
{
	struct scene scene = scene_of("classes", "classes-later");

	press(&scene, "");
	assert_true(watch_state__key(&scene.state, SCREEN_KEY_DOWN, &scene.moment.rows));
	assert_string_equal(scene.state.selected, "cron.service");
	assert_int_equal(watch_state__selected(&scene.state, &scene.moment.rows), 1);
	press(&scene, "e");
	assert_int_equal(watch_state__selected(&scene.state, &scene.moment.rows), 0);
	assert_true(watch_state__key(&scene.state, SCREEN_KEY_END, &scene.moment.rows));
	assert_int_equal(watch_state__selected(&scene.state, &scene.moment.rows), scene.moment.rows.count - 1);
	assert_true(watch_state__key(&scene.state, SCREEN_KEY_DOWN, &scene.moment.rows));
	assert_int_equal(watch_state__selected(&scene.state, &scene.moment.rows), scene.moment.rows.count - 1);
	assert_true(watch_state__key(&scene.state, SCREEN_KEY_HOME, &scene.moment.rows));
	press(&scene, "\r");
	assert_string_equal(scene.state.unit, "cron.service");
	press(&scene, "\033");
	assert_null(scene.state.unit);
	press(&scene, "?");
	assert_true(scene.state.shows_help);
	press(&scene, "f"); /* leaves the help, and does nothing else */
	assert_false(scene.state.shows_help);
	assert_int_equal(scene.state.sort, WATCH_EXEC_RATE);
	assert_false(watch_state__key(&scene.state, 'q', &scene.moment.rows));
	release(&scene);
}

/* Rates are not made of counts that have nothing to do with each other. */
static void test_rates_are_unknown(void **state)
{
	struct scene scene = scene_of("classes", "classes-later");
	struct watch_rows *rows = &scene.moment.rows;

	sort(&scene);
	assert_true(rows->seconds == 2);
	assert_true(rows->rows[0].values[WATCH_FORK_RATE] == 212);
	scene.before->began_at += 1; /* another watch */
	sort(&scene);
	assert_true(isnan(rows->rows[0].values[WATCH_FORK_RATE]));
	scene.before->began_at -= 1;
	scene.before->time = scene.now->time + 5; /* the clock was set */
	sort(&scene);
	assert_true(isnan(rows->rows[0].values[WATCH_FORK_RATE]));
	scene.before->time = scene.now->time - 2;
	scene.before->units[0].forks = scene.now->units[0].forks + 1;
	sort(&scene);
	assert_true(isnan(rows->rows[rows->count - 1].values[WATCH_FORK_RATE]));
	release(&scene);
}

static void assert_key(const char *bytes, int expected, size_t taken)
{
	int key;

	assert_int_equal(screen_key__decode(bytes, strlen(bytes), &key), taken);
	assert_int_equal(key, expected);
}

static void test_keys(void **state)
{
	assert_key("q", 'q', 1);
	assert_key("\033", '\033', 1);
	assert_key("\033[Aq", SCREEN_KEY_UP, 3);
	assert_key("\033OB", SCREEN_KEY_DOWN, 3);
	assert_key("\033[5~", SCREEN_KEY_PAGE_UP, 4);
	assert_key("\033[1;5Cx", SCREEN_KEY_OTHER, 6);
	assert_key("\033[", SCREEN_KEY_OTHER, 2);
	assert_key("\033x", SCREEN_KEY_OTHER, 2);
}

static void test_bytes_of_a_screen(void **state)
{
	struct screen_lines lines = { 0 };
	size_t size;
	char *frame;

	screen_lines__add(&lines, strdup("12345"), false);
	screen_lines__add(&lines, strdup("ab"), false);
	screen_lines__add(&lines, strdup("ab"), true);
	frame = full_screen__frame(&lines, 5, 4, &size);
	assert_string_equal(frame, "\033[H12345\r\nab\033[K\r\n\033[7mab   \033[m\r\n\033[J");
	free(frame);
	frame = full_screen__frame(&lines, 5, 2, &size);
	assert_string_equal(frame, "\033[H12345\r\nab\033[K"); /* the last line must not scroll */
	free(frame);
	screen_lines__free(&lines);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_textfile),
		cmocka_unit_test(test_line_and_copy),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_every_size),
		cmocka_unit_test(test_sorting),
		cmocka_unit_test(test_level_without_column),
		cmocka_unit_test(test_selection),
		cmocka_unit_test(test_rates_are_unknown),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_bytes_of_a_screen),
	};

	setlocale(LC_ALL, "C.UTF-8");
	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
