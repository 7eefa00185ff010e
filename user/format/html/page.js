// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a page can do beyond being read: sort, search, fold, hints on marks, zoom. All that it
// shows is there without it.
"use strict";

const all = (selector, where = document) => [...where.querySelectorAll(selector)];
const make = (name, properties = {}, ...children) => {
	const element = Object.assign(document.createElement(name), properties);
	element.append(...children);
	return element;
};

// Sorting: a click on a header; rows below a rule, in a body of their own, stay below it.
function number(text) {
	const found = /^[-+]?[0-9][0-9.]*(e[-+]?\d+)?/.exec(text.trim());
	return found ? parseFloat(found[0]) : NaN;
}

function compare(a, b) {
	const [x, y] = [number(a), number(b)];
	if (isNaN(x) || isNaN(y))
		return isNaN(x) - isNaN(y) || a.localeCompare(b, "en", { numeric: true });
	return x - y;
}

function sort(table, column, descending) {
	for (const body of table.tBodies) {
		const key = row => row.cells[column] ? row.cells[column].textContent : "";
		const rows = [...body.rows].sort((a, b) => compare(key(a), key(b)));
		body.append(...descending ? rows.reverse() : rows);
	}
}

for (const table of all("table:not(.tree, .ordered)")) {
	const headers = [...table.tHead.rows[0].cells];
	headers.forEach((header, column) => {
		const button = make("button", { type: "button" }, ...header.childNodes);
		header.append(button);
		button.onclick = () => {
			const first = header.classList.contains("n") ? "descending" : "ascending";
			const second = first === "ascending" ? "descending" : "ascending";
			const order = header.getAttribute("aria-sort") === first ? second : first;
			headers.forEach(other => other.removeAttribute("aria-sort"));
			header.setAttribute("aria-sort", order);
			sort(table, column, order === "descending");
		};
	});
}

// Hints: every mark has a title, which is taken over, shown at once, and read by the keyboard too.
const tip = make("div", { className: "tip", hidden: true });
tip.setAttribute("role", "status");
document.body.append(tip);

function hint(mark) {
	const title = mark.querySelector("title");
	if (title) {
		mark.setAttribute("aria-label", title.textContent);
		title.remove();
	}
	return mark.getAttribute("aria-label");
}

function show(mark) {
	all(".now").forEach(other => other.classList.remove("now"));
	mark.classList.add("now");
	tip.textContent = hint(mark);
	tip.hidden = false;
	const box = mark.getBoundingClientRect();
	const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8);
	tip.style.left = Math.max(4, left) + scrollX + "px";
	tip.style.top = box.bottom + 6 + scrollY + "px";
}

function hide() {
	all(".now").forEach(mark => mark.classList.remove("now"));
	tip.hidden = true;
}

const markOf = event => event.target.closest && event.target.closest(".mark");
document.addEventListener("mouseover", event => markOf(event) ? show(markOf(event)) : hide());

const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
for (const picture of all("svg[tabindex]")) {
	let at = -1;
	picture.addEventListener("keydown", event => {
		const marks = all(".mark", picture).filter(mark => mark.getBoundingClientRect().width);
		if (event.key === "Escape")
			return hide();
		if (event.key === "Enter" && at >= 0)
			return zoom(picture, marks[at]);
		if (!(event.key in steps) || !marks.length)
			return;
		event.preventDefault();
		at = Math.max(0, Math.min(marks.length - 1, at + steps[event.key]));
		marks[at].scrollIntoView({ block: "nearest", inline: "nearest" });
		show(marks[at]);
	});
	picture.addEventListener("blur", hide);
	picture.addEventListener("click", event => zoom(picture, markOf(event)));
}

// Zooming into a flame graph: the frame that was chosen becomes as wide as the picture.
function zoom(picture, mark) {
	if (!picture.classList.contains("flame") || !mark)
		return;
	const whole = picture.viewBox.baseVal.width;
	const chosen = boxOf(mark), stretch = whole / chosen.width;
	for (const frame of all(".mark", picture)) {
		const box = boxOf(frame), x = (box.x - chosen.x) * stretch;
		const left = Math.max(0, x), width = Math.min(whole, x + box.width * stretch) - left;
		frame.style.display = width > 0.2 ? "" : "none";
		box.shape.setAttribute("x", left);
		box.shape.setAttribute("width", Math.max(0, width));
		label(frame, left, box.y, width);
	}
	hide();
}

// Where a frame was drawn at first.
const boxes = new Map();
function boxOf(frame) {
	if (!boxes.has(frame)) {
		const shape = frame.querySelector("rect");
		const [x, y, width] = ["x", "y", "width"].map(name => parseFloat(shape.getAttribute(name)));
		boxes.set(frame, { shape, x, y, width });
	}
	return boxes.get(frame);
}

function label(frame, x, y, width) {
	const name = hint(frame).split("\n")[0], room = Math.floor((width - 6) / 7);
	let label = frame.querySelector("text");
	if (!label && room <= 2)
		return;
	if (!label)
		frame.append(label = document.createElementNS(frame.namespaceURI, "text"));
	label.setAttribute("x", x + 3);
	label.setAttribute("y", y + 13);
	label.textContent = name.length <= room ? name : room > 2 ? name.slice(0, room - 1) + "\u2026" : "";
}

// Searching: rows of tables and marks that hold the words.
const found = make("output");
const field = make("input", { type: "search", placeholder: "Search names, symbols, numbers (/)" });
field.setAttribute("aria-label", "Search");
field.oninput = () => {
	const words = field.value.toLowerCase().split(/\s+/).filter(word => word);
	const fits = text => words.every(word => text.toLowerCase().includes(word));
	let rows = 0, marks = 0;
	for (const row of all("tbody tr")) {
		const fit = fits(row.textContent);
		row.classList.toggle("unfit", !fit);
		rows += fit;
	}
	for (const mark of all(".mark")) {
		const fit = fits(hint(mark) || "");
		mark.style.opacity = fit ? "" : "0.15";
		marks += fit;
	}
	document.body.classList.toggle("searching", words.length > 0);
	found.textContent = words.length ? `${rows} rows, ${marks} marks` : "";
};
document.addEventListener("keydown", event => {
	if (event.key === "/" && document.activeElement !== field) {
		event.preventDefault();
		field.focus();
	}
});

// Folding.
const sections = () => all("section > details");
const fold = make("button", { type: "button", textContent: "Fold all" });
fold.onclick = () => {
	const open = sections().every(section => !section.open);
	sections().forEach(section => { section.open = open; });
	fold.textContent = open ? "Fold all" : "Unfold all";
};
addEventListener("beforeprint", () => sections().forEach(section => { section.open = true; }));

const bar = make("div", { className: "bar" }, field, found, fold);
(document.querySelector("nav") || document.querySelector("main")).before(bar);
