# SPDX-License-Identifier: GPL-2.0-or-later
# As births.c, of bash, which cannot tell its faults: births.sh -n N [-e PATH | -w WORDS]. The child
# executes PATH, or works.
count=100 path= words=0
while getopts n:e:w: option; do
	case $option in
	n) count=$OPTARG ;;
	e) path=$OPTARG ;;
	w) words=$OPTARG ;;
	*) exit 2 ;;
	esac
done
begin=${EPOCHREALTIME/./}
for ((i = 0; i < count; i++)); do
	if [[ $path ]]; then
		"$path"
	else
		(for ((k = 0; k < words; k++)); do list+=" $k"; done)
	fi
done
mean=$(((${EPOCHREALTIME/./} - begin) * 1000 / count))
echo "births $count median $mean mean $mean"
