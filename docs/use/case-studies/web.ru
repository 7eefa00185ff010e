#!/usr/bin/env -S puma -q -w 3 --preload -b tcp://127.0.0.1:8231
# SPDX-License-Identifier: GPL-2.0-or-later
# puma with three workers that share 200,000 strings, and make 20,000 for each request.
records = Array.new(200_000) { |number| "record number #{number}, which is long enough" }

run lambda { |_environment|
  made = Array.new(20_000) { |number| "row #{number}" }
  [200, { "content-type" => "text/plain" }, ["#{records.sum(&:size)} #{made.size}\n"]]
}
