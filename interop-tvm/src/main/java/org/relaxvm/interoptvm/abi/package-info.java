/**
 * Data as compiled code sees it: argument cells, tensors, objects (docs/spec/native-library.md,
 * section 2).
 */
@NullMarked
package org.relaxvm.interoptvm.abi;

import org.jspecify.annotations.NullMarked;
