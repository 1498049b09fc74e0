/** Tests of statements. */
@NullMarked
package org.relaxvm.tir.stmt;

import org.jspecify.annotations.NullMarked;
