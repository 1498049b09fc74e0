/** The usual lists of passes. Source: passes, section 1. */
@NullMarked
package org.relaxvm.compiler.pipeline;

import org.jspecify.annotations.NullMarked;
