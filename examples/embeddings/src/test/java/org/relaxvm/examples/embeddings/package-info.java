@NullMarked
package org.relaxvm.examples.embeddings;

import org.jspecify.annotations.NullMarked;
