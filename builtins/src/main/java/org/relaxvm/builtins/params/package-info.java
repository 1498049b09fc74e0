/**
 * Parameters kept in a directory: a JSON manifest and shard files with the bytes of many tensors
 * each (docs/spec/builtins.md, section 11). {@link org.relaxvm.builtins.params.TensorCache} is
 * where loaded ones are kept by name.
 */
@NullMarked
package org.relaxvm.builtins.params;

import org.jspecify.annotations.NullMarked;
